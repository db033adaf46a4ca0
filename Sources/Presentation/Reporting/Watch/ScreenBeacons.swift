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
    var sightings = 0
    /// Sightings of each of the last periods.
    var counts: [Int] = []

    func after(_ level: Double, _ count: Int) -> Seen {
      var next = self
      next.history.append(level)
      if next.history.count > historyLength { next.history.removeFirst() }
      next.counts.append(count)
      if next.counts.count > ratePeriods { next.counts.removeFirst() }
      next.sightings += count
      next.silentPeriods = level.isNaN ? silentPeriods + 1 : 0
      return next
    }

    var withoutHistory: Seen { Seen(number: number, sightings: sightings) }
    var meanCount: Double { Double(counts.reduce(0, +)) / Double(max(counts.count, 1)) }
  }

  private var seen: [Key: Seen] = [:]
  private var inSight: [String: [ScreenBeacon]] = [:]
  private let period: Double

  /// Levels that are kept of each beacon.
  static let historyLength = 120
  /// Periods whose mean is the rate of a beacon.
  private static let ratePeriods = 10

  /// - Parameter period: seconds.
  init(period: Double) { self.period = period }

  /// Takes a period of a trace; returns how many sightings were in it.
  mutating func take(
    _ rangings: [Ranging], of trace: String, at time: Int64, _ beacon: (Int) -> WatchedBeacon
  ) -> Int {
    var ranged: [Int: RangedBeacon] = [:]
    for ranging in rangings {
      for found in ranging.beacons { ranged[found.link] = found }
    }
    for (key, entry) in seen where key.trace == trace && ranged[key.link] == nil {
      // A beacon that comes back within the history has a gap there.
      guard !entry.history.isEmpty else { continue }
      seen[key] =
        entry.silentPeriods < Self.historyLength ? entry.after(.nan, 0) : entry.withoutHistory
    }
    var found: [ScreenBeacon] = []
    for (link, ranged) in ranged.sorted(by: { $0.key < $1.key }) {
      let key = Key(trace: trace, link: link)
      let entry = (seen[key] ?? Seen(number: seen.count))
        .after(ranged.sightings > 0 ? ranged.level : .nan, ranged.sightings)
      seen[key] = entry
      let watched = beacon(link)
      var shown = ScreenBeacon(
        number: entry.number, name: watched.screenName, zone: ranged.zone,
        distance: ranged.distance?.distance, interval: ranged.distance?.interval,
        level: ranged.level, history: entry.history, silence: ranged.silence,
        rate: entry.meanCount / period)
      shown.detail = ScreenBeacon.Detail(ranged, of: watched, at: time)
      shown.detail.sightings = entry.sightings
      found.append(shown)
    }
    inSight[trace] = found
    return ranged.values.reduce(0) { $0 + $1.sightings }
  }

  /// In no particular order.
  var all: [ScreenBeacon] { inSight.values.flatMap(\.self) }
}

extension ScreenBeacon.Detail {
  fileprivate init(_ ranged: RangedBeacon, of beacon: WatchedBeacon, at time: Int64) {
    self.init()
    (kind, trace, first) = (beacon.kind, beacon.trace, beacon.first)
    deviation = ranged.variance.squareRoot()
    last = time - Int64((ranged.silence * 1e9).rounded())
    channels = beacon.channels.sorted().map(Int.init)
  }
}

extension WatchedBeacon {
  /// What a screen calls it.
  var screenName: BeaconName { BeaconName(id, given: name, receiver: receiver) }
}
