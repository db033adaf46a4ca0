import Inputs
import Recordings
import Sightings
import Support
import TraceStore

/// The sightings of a file in order of time, each trace by itself, as a watch needs them.
///
/// In constant memory where each trace's sightings are in order, or late by a second at most; else
/// all are held and sorted.
struct WatchedFile {
  let path: String
  let log: any ActivityLog

  private static let late = Timestamp.second

  /// Hands over blocks of sightings and the tables that their indices point into.
  func forEachOrderedBlock(
    _ body: @escaping (SightingColumns, Catalogue) throws -> Void
  ) throws {
    guard try !isOrdered() else { return try read([.time, .link, .rssi, .channel], body) }
    log.note("\(path) is not in order of time: its sightings are sorted first")
    let held = Held()
    try read([.time, .link, .rssi, .channel]) { rows, catalogue in held.add(rows, catalogue) }
    try body(held.sorted(), held.catalogue)
  }

  private func isOrdered() throws -> Bool {
    let seen = Seen()
    try read([.time, .link]) { rows, _ in
      guard seen.isOrdered else { return }
      for row in 0..<rows.count {
        let time = rows.time[row]
        let last = seen.newest[rows.trace[row]] ?? time
        if last > time, last &- time > Self.late || last &- time < 0 { seen.isOrdered = false }
        seen.newest[rows.trace[row]] = max(last, time)
      }
    }
    return seen.isOrdered
  }

  private func read(
    _ fields: SightingFields, _ body: @escaping (SightingColumns, Catalogue) throws -> Void
  ) throws {
    try forEachBlock(
      of: path, fields, filtered: nil, note: log.note, body)
  }

  private final class Seen {
    var newest: [UInt16: Int64] = [:]
    var isOrdered = true
  }

  /// All sightings of a file that is not in order.
  private final class Held {
    var catalogue = Catalogue()
    private var rows = SightingColumns(capacity: 0)

    func add(_ block: SightingColumns, _ catalogue: Catalogue) {
      rows.time += block.time
      rows.beacon += block.beacon
      rows.receiver += block.receiver
      rows.trace += block.trace
      rows.rssi += block.rssi
      rows.channel += block.channel
      self.catalogue = catalogue
    }

    func sorted() -> SightingColumns {
      let order = rows.time.indices.sorted { (rows.time[$0], $0) < (rows.time[$1], $1) }
      var result = SightingColumns(capacity: 0)
      result.time = order.map { rows.time[$0] }
      result.beacon = order.map { rows.beacon[$0] }
      result.receiver = order.map { rows.receiver[$0] }
      result.trace = order.map { rows.trace[$0] }
      result.rssi = order.map { rows.rssi[$0] }
      result.channel = order.map { rows.channel[$0] }
      return result
    }
  }
}
