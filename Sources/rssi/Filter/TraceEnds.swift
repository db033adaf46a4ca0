import Sightings
import TraceStore

/// Where each trace of a file ends, so that nothing of it is held back any longer.
struct TraceEnds {
  /// Traces by their last row, in order.
  private var ends: [(row: Int, trace: Int)] = []
  private var next = 0

  /// Reads the file's column of traces where it has several.
  init(_ reader: TraceReader) throws {
    guard reader.catalogue.traces.count > 1 else { return }
    var last = Array(repeating: -1, count: reader.catalogue.traces.count)
    var first = 0
    try reader.forEachBlock([.link]) { rows in
      for row in rows.trace.indices { last[Int(rows.trace[row])] = first + row }
      first += rows.trace.count
    }
    ends = last.indices.filter { last[$0] >= 0 }.map { (last[$0], $0) }.sorted { $0.row < $1.row }
  }

  /// The traces that have no row from one on and were not named before.
  mutating func traces(before row: Int) -> [Int] {
    let from = next
    while next < ends.count, ends[next].row < row { next += 1 }
    return ends[from..<next].map(\.trace)
  }
}
