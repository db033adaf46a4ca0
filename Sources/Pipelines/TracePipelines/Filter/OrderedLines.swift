import Filtering
import Recordings
import Sightings
import Support

/// The lines of a filtered stream: those of a receiver in order of time, each once its level is
/// final.
struct OrderedLines {
  /// Sightings that are not written yet, by their number in the stream from `first` on.
  private var held = SightingColumns(capacity: 0)
  private var places: [TruthPoint?] = []
  private var levels: [FilteredLevel?] = []
  private var isWritten: [Bool] = []
  private var first = 0
  private var outstanding = 0
  /// The numbers of the sightings that are not written yet, in order of time, by trace and
  /// receiver.
  private var feeds: [UInt32: [Int]] = [:]
  /// The number of sightings so far.
  private(set) var taken = 0

  var isEmpty: Bool { outstanding == 0 }

  mutating func take(_ rows: SightingColumns, _ row: Int, _ place: TruthPoint?) {
    let time = rows.time[row]
    held.append(row: row, of: rows)
    places.append(place)
    levels.append(nil)
    isWritten.append(false)
    let feed = Self.feed(rows, row)
    var position = feeds[feed]?.count ?? 0
    while position > 0, let before = feeds[feed]?[position - 1], held.time[before - first] > time {
      position -= 1
    }
    feeds[feed, default: []].insert(taken, at: position)
    taken += 1
    outstanding += 1
  }

  /// Takes levels, and writes all lines that are complete and in order.
  mutating func write(
    _ known: LevelRows, _ catalogue: Catalogue, to output: some LineWriter
  ) throws {
    var touched: Set<UInt32> = []
    for index in 0..<known.count {
      let row = known.row[index] - first
      levels[row] = FilteredLevel(rssi: known.rssi[index], variance: known.variance[index])
      touched.insert(Self.feed(held, row))
    }
    for feed in touched.sorted() { try write(feed, catalogue, to: output) }
    let done = isWritten.firstIndex(of: false) ?? isWritten.count
    if done == isWritten.count || done > 1024 && done * 2 > isWritten.count { drop(done) }
  }

  private mutating func write(
    _ feed: UInt32, _ catalogue: Catalogue, to output: some LineWriter
  ) throws {
    var written = 0
    while let rows = feeds[feed], written < rows.count, let level = levels[rows[written] - first] {
      let row = rows[written] - first
      try output.write(
        SightingLine(
          held, row, catalogue, level: Float(level.rssi), variance: Float(level.variance),
          place: places[row]
        ).text)
      isWritten[row] = true
      written += 1
    }
    outstanding -= written
    feeds[feed]?.removeFirst(written)
    if feeds[feed]?.isEmpty == true { feeds[feed] = nil }
  }

  private mutating func drop(_ count: Int) {
    held.removeFirst(count)
    places.removeFirst(count)
    levels.removeFirst(count)
    isWritten.removeFirst(count)
    first += count
  }

  private static func feed(_ rows: SightingColumns, _ row: Int) -> UInt32 {
    UInt32(rows.trace[row]) << 16 | UInt32(rows.receiver[row])
  }
}
