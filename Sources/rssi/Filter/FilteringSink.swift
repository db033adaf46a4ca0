import Filtering
import Recordings
import Sightings

/// Filters sightings as they arrive and writes them out.
struct FilteringSink: SightingSink {
  private var filters: FilterChain
  private var noise: LearnedNoise
  private var links: [UInt64: Int] = [:]
  private var levels = LevelRows()
  private var lines = OrderedLines()

  init(_ chain: [FilterSpecification], reorder: Int64, resetAfter: Int64?) {
    filters = FilterChain(chain, reorder: reorder, resetAfter: resetAfter)
    noise = LearnedNoise(chain)
  }

  var isHolding: Bool { !lines.isEmpty }
  var counts: FilterCounts { filters.counts }
  /// Sightings so far.
  var taken: Int { lines.taken }

  mutating func append(
    _ rows: SightingColumns, payloads: NewPayloads, catalogue: Catalogue
  ) throws {
    levels.removeAll()
    for row in 0..<rows.count {
      levels.append(
        row: lines.taken, link: link(rows, row), time: rows.time[row],
        rssi: Double(rows.rssi[row]), channel: rows.channel[row])
      // The stream's own place of this sighting, if it had one, is the newest truth.
      let place = catalogue.truth.last.flatMap { point in
        point.time == rows.time[row] && point.node == UInt32(rows.receiver[row])
          && point.trace == rows.trace[row] ? point : nil
      }
      lines.take(rows, row, place)
    }
    filters.process(&levels)
    for row in 0..<rows.count where !rows.rssi[row].isNaN {
      let link = link(rows, row)
      if let learned = noise.take(rows.time[row], rows.rssi[row], ofLink: link) {
        filters.adopt(learned, forLink: link)
      }
    }
    try lines.write(levels, catalogue)
  }

  /// Writes what waits only for late sightings.
  mutating func drain(_ catalogue: Catalogue) throws {
    filters.drain(&levels)
    try lines.write(levels, catalogue)
  }

  /// Writes all that is left.
  mutating func finish(_ catalogue: Catalogue) throws {
    filters.finish(&levels)
    try lines.write(levels, catalogue)
  }

  private mutating func link(_ rows: SightingColumns, _ row: Int) -> Int {
    let key =
      UInt64(rows.trace[row]) << 48 | UInt64(rows.receiver[row]) << 32 | UInt64(rows.beacon[row])
    if let known = links[key] { return known }
    let place = LinkPlace(trace: Int(rows.trace[row]), receiver: Int(rows.receiver[row]))
    let number = filters.addLink(place, noise: noise.assumed)
    noise.open()
    links[key] = number
    return number
  }
}
