import Filtering
import Sightings
import Support
import TraceStore

/// The properties of a trace that a filter needs beforehand: the end of each of its traces, the
/// order of sightings, and the levels from which noise is estimated.
struct TraceScan {
  /// A Boolean value that is true if the sightings of each link come in order of time.
  private(set) var isOrdered = true
  /// The levels of each link; empty if they are not needed.
  private(set) var levels: [LinkLevels] = []
  /// The traces by their last row, in order.
  private var ends: [(row: Int, trace: Int)] = []
  private var next = 0

  /// Reads the file once.
  ///
  /// - Parameters:
  ///   - withLevels: true to keep levels.
  ///   - resetAfter: nanoseconds; a longer gap begins a new stretch of levels.
  ///   - channels: subtracts channel offsets from levels; nil = none.
  ///   - progress: receives the number of rows that were read.
  init(
    _ reader: TraceReader, withLevels: Bool, resetAfter: Int64?, channels: ChannelCorrection?,
    progress: any ActivityProgress
  ) throws {
    var channels = channels
    var histories = LevelHistories(resetAfter: resetAfter)
    var index = LinkIndex(reader.catalogue)
    var newest: [Int64] = []
    var last = Array(repeating: -1, count: reader.catalogue.traces.count)
    var first = 0
    var fields: SightingFields = [.time, .link]
    if withLevels { fields.formUnion([.rssi, .channel]) }
    try reader.forEachBlock(fields) { rows in
      for row in 0..<rows.count {
        let (link, isNew) = index.number(rows, row)
        let time = rows.time[row]
        if isNew {
          newest.append(time)
          histories.open(LinkKey(beacon: rows.beacon[row], receiver: rows.receiver[row]))
        }
        if time < newest[link] { isOrdered = false } else { newest[link] = time }
        last[Int(rows.trace[row])] = first + row
        if withLevels, !rows.rssi[row].isNaN {
          let level = channels.level(of: row, in: rows, reader.catalogue)
          histories.append(link: link, time: time, rssi: level)
        }
      }
      first += rows.count
      progress.update(first)
    }
    if withLevels { levels = histories.byLink() }
    ends = last.indices.filter { last[$0] >= 0 }.map { (last[$0], $0) }.sorted { $0.row < $1.row }
  }

  /// Returns the traces without a row from one on that were not returned before.
  mutating func traces(endedBefore row: Int) -> [Int] {
    let from = next
    while next < ends.count, ends[next].row < row { next += 1 }
    return ends[from..<next].map(\.trace)
  }
}

/// Puts levels, which arrive in order of time or later, back into the order of the rows.
///
/// Memory grows with the delay of levels behind their rows.
struct RowOrder {
  private var levels: [Float] = []
  private var variances: [Float] = []
  private var isKnown: [Bool] = []
  /// The row of the first of them.
  private var first = 0

  mutating func place(_ rows: borrowing LevelRows) {
    let last = rows.row.max() ?? -1
    if last - first >= levels.count { grow(to: last - first + 1) }
    Self.place(rows.rssi.span, at: rows.row.span, from: first, in: &levels)
    Self.place(rows.variance.span, at: rows.row.span, from: first, in: &variances)
    for row in rows.row { isKnown[row - first] = true }
  }

  private static func place(
    _ values: Span<Double>, at rows: Span<Int>, from first: Int, in column: inout [Float]
  ) {
    var column = column.mutableSpan
    for index in 0..<rows.count { column[rows[index] - first] = Float(values[index]) }
  }

  private mutating func grow(to count: Int) {
    let more = max(count, levels.count + 1024) - levels.count
    levels.append(contentsOf: repeatElement(.nan, count: more))
    variances.append(contentsOf: repeatElement(.nan, count: more))
    isKnown.append(contentsOf: repeatElement(false, count: more))
  }

  /// Passes on the levels of the rows up to the first without a level, in whole blocks.
  ///
  /// - Parameter block: the rows in a block; the rest stays until it has as many.
  mutating func takeBlocks(
    of block: Int, _ body: (_ levels: [Float], _ variances: [Float]) throws -> Void
  ) rethrows {
    let ready = isKnown.firstIndex(of: false) ?? isKnown.count
    var taken = 0
    while ready - taken >= block, block > 0 {
      try body(Array(levels[taken..<taken + block]), Array(variances[taken..<taken + block]))
      taken += block
    }
    drop(taken)
  }

  /// Passes on all remaining levels.
  mutating func takeRest(_ body: (_ levels: [Float], _ variances: [Float]) throws -> Void) rethrows
  {
    let ready = isKnown.firstIndex(of: false) ?? isKnown.count
    if ready > 0 { try body(Array(levels[..<ready]), Array(variances[..<ready])) }
    drop(ready)
  }

  private mutating func drop(_ count: Int) {
    levels.removeFirst(count)
    variances.removeFirst(count)
    isKnown.removeFirst(count)
    first += count
  }
}
