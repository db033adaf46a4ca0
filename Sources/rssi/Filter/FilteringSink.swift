import Filtering
import Sightings
import Recordings

/// Filters sightings as they arrive and writes them out.
struct FilteringSink: SightingSink {
  private var filters: FilterChain
  private var noise: LearnedNoise
  private var numbers: [UInt64: Int] = [:]
  private var levels = LevelRows()
  /// Sightings whose levels are not final, by their number in the stream from `first` on.
  private var held = SightingColumns(capacity: 0)
  private var places: [TruthPoint?] = []
  private var isWritten: [Bool] = []
  private var first = 0
  private var outstanding = 0

  init(_ chain: [FilterSpecification], reorder: Int64, resetAfter: Int64?) {
    filters = FilterChain(chain, reorder: reorder, resetAfter: resetAfter)
    noise = LearnedNoise(chain)
  }

  var isHolding: Bool { outstanding > 0 }
  var counts: FilterCounts { filters.counts }
  /// Sightings so far.
  private(set) var taken = 0

  mutating func append(
    _ rows: SightingColumns, payloads: NewPayloads, catalogue: Catalogue
  ) throws {
    levels.removeAll()
    for row in 0..<rows.count {
      levels.append(
        row: taken, link: number(rows, row), time: rows.time[row], rssi: Double(rows.rssi[row]),
        channel: rows.channel[row])
      taken += 1
      // The stream's own place of this sighting, if it had one, is the newest truth.
      places.append(
        catalogue.truth.last.flatMap { point in
          point.time == rows.time[row] && point.node == UInt32(rows.receiver[row])
            && point.trace == rows.trace[row] ? point : nil
        })
    }
    isWritten.append(contentsOf: repeatElement(false, count: rows.count))
    held.append(block: rows)
    outstanding += rows.count
    filters.process(&levels)
    // From now on: what a level is does not depend on itself in two ways.
    for row in 0..<rows.count where !rows.rssi[row].isNaN {
      let link = number(rows, row)
      if let learned = noise.take(rows.time[row], rows.rssi[row], ofLink: link) {
        filters.adopt(learned, forLink: link)
      }
    }
    try write(catalogue)
  }

  /// Writes what waits only for late sightings.
  mutating func drain(_ catalogue: Catalogue) throws {
    filters.drain(&levels)
    try write(catalogue)
  }

  /// Writes all that is left.
  mutating func finish(_ catalogue: Catalogue) throws {
    filters.finish(&levels)
    try write(catalogue)
  }

  private mutating func number(_ rows: SightingColumns, _ row: Int) -> Int {
    let key =
      UInt64(rows.trace[row]) << 48 | UInt64(rows.receiver[row]) << 32 | UInt64(rows.beacon[row])
    if let known = numbers[key] { return known }
    let place = LinkPlace(trace: Int(rows.trace[row]), receiver: Int(rows.receiver[row]))
    let number = filters.addLink(place, noise: noise.assumed)
    noise.open()
    numbers[key] = number
    return number
  }

  private mutating func write(_ catalogue: Catalogue) throws {
    for index in 0..<levels.count {
      let row = levels.row[index] - first
      try StandardOutput.write(
        SightingLine(
          held, row, catalogue, level: Float(levels.rssi[index]),
          variance: Float(levels.variance[index]), place: places[row]
        ).text)
      isWritten[row] = true
    }
    outstanding -= levels.count
    let done = isWritten.firstIndex(of: false) ?? isWritten.count
    if done == isWritten.count || done > 1024 && done * 2 > isWritten.count { drop(done) }
  }

  private mutating func drop(_ count: Int) {
    held.removeFirst(count)
    places.removeFirst(count)
    isWritten.removeFirst(count)
    first += count
  }
}
