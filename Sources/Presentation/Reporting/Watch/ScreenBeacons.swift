import LivePipelines
import Proximity
import Screens

/// The beacons in sight as a screen shows them: with their numbers and the levels before.
struct ScreenBeacons {
  private struct Seen {
    let number: Int
    let trace: String
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

    var withoutHistory: Seen { Seen(number: number, trace: trace, sightings: sightings) }
    var meanCount: Double { Double(counts.reduce(0, +)) / Double(max(counts.count, 1)) }
  }

  /// The beacons in sight, by the keys of watched beacons.
  private var seen: [String: Seen] = [:]
  private var numbers = 0
  private var inSight: [String: [ScreenBeacon]] = [:]
  private let period: Double

  /// Levels that are kept of each beacon.
  static let historyLength = 120
  /// Beacons after which those without a history are forgotten.
  private static let mostSeen = 4096
  /// Periods whose mean is the rate of a beacon.
  private static let ratePeriods = 10

  /// - Parameter period: seconds.
  init(period: Double) { self.period = period }

  /// Takes a period of a trace; returns its number of sightings.
  mutating func take(
    _ rangings: [Ranging], of trace: String, at time: Int64, _ beacon: (Int) -> WatchedBeacon
  ) -> Int {
    var ranged: [Int: RangedBeacon] = [:]
    for ranging in rangings {
      for found in ranging.beacons { ranged[found.link] = found }
    }
    var found: [ScreenBeacon] = []
    var inSight: Set<String> = []
    for (link, ranged) in ranged.sorted(by: { $0.key < $1.key }) {
      let watched = beacon(link)
      inSight.insert(watched.key)
      let entry = (seen[watched.key] ?? newEntry(trace))
        .after(ranged.sightings > 0 ? ranged.level : .nan, ranged.sightings)
      seen[watched.key] = entry
      var shown = ScreenBeacon(
        number: entry.number, name: watched.screenName, zone: ranged.zone,
        distance: ranged.distance?.distance, interval: ranged.distance?.interval,
        level: ranged.level, history: entry.history, silence: ranged.silence,
        rate: entry.meanCount / period)
      shown.detail = ScreenBeacon.Detail(ranged, of: watched, at: time)
      shown.detail.sightings = entry.sightings
      found.append(shown)
    }
    self.inSight[trace] = found
    noteSilence(of: trace, but: inSight)
    return ranged.values.reduce(0) { $0 + $1.sightings }
  }

  private mutating func newEntry(_ trace: String) -> Seen {
    defer { numbers += 1 }
    return Seen(number: numbers, trace: trace)
  }

  /// Takes note of the beacons that are not in sight: one that comes back within the history has a
  /// gap there.
  private mutating func noteSilence(of trace: String, but inSight: Set<String>) {
    for (key, entry) in seen
    where entry.trace == trace && !entry.history.isEmpty && !inSight.contains(key) {
      seen[key] =
        entry.silentPeriods < Self.historyLength ? entry.after(.nan, 0) : entry.withoutHistory
    }
    if seen.count > Self.mostSeen { seen = seen.filter { !$0.value.history.isEmpty } }
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
  /// The name on the screen.
  var screenName: BeaconName { BeaconName(id, given: name, receiver: receiver) }
}
