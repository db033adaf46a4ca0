import Sightings
import TraceStore

/// What a filter found for the links of several parts, by the numbers of the new trace.
struct MergedLinks {
  private struct Key: Hashable {
    var beacon: UInt32
    var receiver: UInt16
  }

  private var links: [Key: FilteredLink] = [:]
  private var order: [Key] = []
  /// Levels that the new trace has.
  private var counts: [Key: UInt64] = [:]

  /// Adds the links of a part; of a link that several have, the parameters are those of the part with
  /// most levels.
  mutating func add(_ found: [FilteredLink], of part: TracePart) {
    for var link in found
    where Int(link.beacon) < part.beacons.count && Int(link.receiver) < part.receivers.count {
      (link.beacon, link.receiver) = (
        part.beacons[Int(link.beacon)], part.receivers[Int(link.receiver)]
      )
      guard link.beacon != Sighting.none, link.receiver != .max else { continue }
      let key = Key(beacon: link.beacon, receiver: link.receiver)
      if let known = links[key], known.samples >= link.samples { continue }
      if links[key] == nil { order.append(key) }
      links[key] = link
    }
  }

  /// Counts a level of the new trace.
  mutating func count(_ level: Float, of row: Sighting) {
    guard !level.isNaN else { return }
    counts[Key(beacon: row.beacon, receiver: row.receiver), default: 0] += 1
  }

  /// The links that have a level in the new trace.
  var rows: [FilteredLink] {
    order.compactMap { key in
      guard var link = links[key], let count = counts[key] else { return nil }
      link.samples = count
      return link
    }
  }
}
