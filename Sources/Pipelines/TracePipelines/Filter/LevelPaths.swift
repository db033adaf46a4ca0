import Filtering
import Sightings

/// The true levels of links over time, as a trace holds them.
struct LevelPaths {
  private struct Key: Hashable {
    let link: LinkKey
    let trace: UInt16
  }

  private var paths: [Key: [TruthLevel]] = [:]

  init(_ catalogue: Catalogue) {
    for level in catalogue.levels where level.rssi.isFinite {
      let link = LinkKey(beacon: level.beacon, receiver: level.receiver)
      paths[Key(link: link, trace: level.trace), default: []].append(level)
    }
    for key in paths.keys { paths[key]?.sort { $0.time < $1.time } }
  }

  var isEmpty: Bool { paths.isEmpty }

  /// The level of a link at a time, linear between those that are known; NaN outside of them.
  func level(_ link: LinkKey, _ trace: UInt16, at time: Int64) -> Double {
    guard let path = paths[Key(link: link, trace: trace)] else { return .nan }
    var low = 0
    var high = path.count
    while low < high {
      let middle = (low + high) / 2
      if path[middle].time < time { low = middle + 1 } else { high = middle }
    }
    guard low < path.count else { return .nan }
    let after = path[low]
    if after.time == time { return Double(after.rssi) }
    guard low > 0 else { return .nan }
    let before = path[low - 1]
    let share =
      secondsLater(time, than: before.time) / secondsLater(after.time, than: before.time)
    return Double(before.rssi) + share * Double(after.rssi - before.rssi)
  }
}
