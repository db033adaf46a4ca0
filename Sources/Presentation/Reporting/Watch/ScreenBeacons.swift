import LivePipelines
import Proximity
import Screens

/// The beacons in sight as a screen shows them: with their numbers and the levels before.
struct ScreenBeacons {
  /// A beacon at a receiver in a trace.
  private struct Key: Hashable {
    let trace: String
    let link: Int
  }

  private struct Seen {
    let number: Int
    var history: [Double] = []
    var silentPeriods = 0

    func after(_ level: Double) -> Seen {
      var next = self
      next.history.append(level)
      if next.history.count > historyLength { next.history.removeFirst() }
      next.silentPeriods = level.isNaN ? silentPeriods + 1 : 0
      return next
    }

    var withoutHistory: Seen { Seen(number: number) }
  }

  private var seen: [Key: Seen] = [:]
  private var inSight: [String: [(beacon: ScreenBeacon, receiver: String)]] = [:]

  /// Levels that are kept of each beacon.
  static let historyLength = 120

  /// Takes a period of a trace; returns how many sightings were in it.
  mutating func take(
    _ rangings: [Ranging], of trace: String, _ beacon: (Int) -> WatchedBeacon
  ) -> Int {
    var ranged: [Int: RangedBeacon] = [:]
    for ranging in rangings {
      for found in ranging.beacons { ranged[found.link] = found }
    }
    for (key, entry) in seen where key.trace == trace && ranged[key.link] == nil {
      // A beacon that comes back within the history has a gap there.
      guard !entry.history.isEmpty else { continue }
      seen[key] =
        entry.silentPeriods < Self.historyLength ? entry.after(.nan) : entry.withoutHistory
    }
    var found: [(beacon: ScreenBeacon, receiver: String)] = []
    for (link, ranged) in ranged.sorted(by: { $0.key < $1.key }) {
      let key = Key(trace: trace, link: link)
      let entry = (seen[key] ?? Seen(number: seen.count))
        .after(ranged.sightings > 0 ? ranged.level : .nan)
      seen[key] = entry
      let watched = beacon(link)
      found.append(
        (
          ScreenBeacon(
            number: entry.number, name: watched.label, zone: ranged.zone,
            distance: ranged.distance?.distance, interval: ranged.distance?.interval,
            level: ranged.level, history: entry.history, silence: ranged.silence), watched.receiver
        ))
    }
    inSight[trace] = found
    return ranged.values.reduce(0) { $0 + $1.sightings }
  }

  /// The nearest first; those at no known distance last, the strongest of them first.
  var sorted: [ScreenBeacon] {
    let all = inSight.values.joined()
    let receivers = Set(all.map(\.receiver))
    let named = all.map { found in
      var beacon = found.beacon
      if receivers.count > 1 { beacon.name += " at \(found.receiver)" }
      return beacon
    }
    return named.sorted { a, b in
      switch (a.distance, b.distance) {
      case (let x?, let y?): x == y ? a.number < b.number : x < y
      case (_?, nil): true
      case (nil, _?): false
      case (nil, nil): a.level == b.level ? a.number < b.number : a.level > b.level
      }
    }
  }
}
