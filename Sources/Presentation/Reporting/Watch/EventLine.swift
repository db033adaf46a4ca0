package import LivePipelines
import NumericalMethods
package import Proximity
import Registries
import Sightings
import Support

/// An event or a ranging as one line of JSON, keys in a fixed order, so that the same is the same
/// bytes.
package struct EventLine {
  /// The line with its end.
  package let text: String

  /// - Parameters:
  ///   - event: its name.
  ///   - time: nanoseconds since the Unix epoch.
  private init(_ event: String, time: Int64, _ members: (inout JSONWriter) -> Void) {
    text = JSONWriter.line { line in
      line.member("time_s", written: Timestamp.decimalSeconds(time))
      line.member("event", event)
      members(&line)
    }
  }

  /// Creates the line of a change.
  package init(_ event: ProximityEvent, of beacon: WatchedBeacon, region: String?) {
    self.init(event.kind.name, time: event.time) { line in
      if let region { line.member("region", region) }
      line.add(beacon)
      line.member("trace", beacon.trace)
      line.member("zone", event.zone.description)
      switch event.kind {
      case .zone(let before): line.member("previous_zone", before.description)
      case .exit(let reason): line.member("reason", reason.name)
      case .rangeReached:
        line.member("range_m", event.range, 3)
        if let description = beacon.registered?.description {
          line.member("description", description)
        }
        for (key, note) in (beacon.registered?.notes ?? [:]).sorted(by: { $0.key < $1.key }) {
          line.member("note_" + key, note)
        }
      case .rangeLeft: line.member("range_m", event.range, 3)
      case .levelChange(let before): line.member("previous_rssi_dbm", before, 2)
      default: break
      }
      line.add(event.distance)
      line.member("rssi_dbm", event.level, 2)
    }
  }

  /// The beacons of a region in order of distance.
  package init(_ ranging: Ranging, region: String, trace: String, _ beacon: (Int) -> WatchedBeacon)
  {
    self.init("ranging", time: ranging.time) { line in
      line.member("region", region)
      line.member("trace", trace)
      line.key("beacons")
      line.array { list in
        for ranged in ranging.beacons {
          list.object { line in
            line.add(beacon(ranged.link))
            line.member("zone", ranged.zone.description)
            line.add(ranged.distance)
            line.member("rssi_dbm", ranged.level, 2)
            line.member("variance_db2", ranged.variance, 3)
            line.member("silence_s", ranged.silence, 3)
            line.member("sightings", ranged.sightings)
          }
        }
      }
    }
  }

  /// Creates the line of a search for a beacon.
  package init(_ seek: SeekReading, of beacon: WatchedBeacon) {
    self.init("seek", time: seek.time) { line in
      line.add(beacon)
      line.member("trace", beacon.trace)
      line.member("trend", seek.direction.name)
      line.member("slope_db_per_s", seek.slope?.rate, 3)
      line.member("ci95_db_per_s", seek.slope?.interval)
      line.member("zone", seek.beacon.zone.description)
      line.add(seek.beacon.distance)
      line.member("rssi_dbm", seek.beacon.level, 2)
      line.member("silence_s", seek.beacon.silence, 3)
    }
  }
}

extension JSONWriter {
  /// A number with a count of decimals; null for nil.
  fileprivate mutating func member(_ name: String, _ value: Double?, _ decimals: Int) {
    member(name, written: value.flatMap(finite).map { decimal($0, decimals) })
  }

  fileprivate mutating func member(_ name: String, _ interval: Interval?) {
    key(name)
    guard let interval else { return null() }
    array { list in
      for limit in [interval.lower, interval.upper] {
        list.number(written: finite(limit).map { decimal($0, 3) })
      }
    }
  }

  fileprivate mutating func add(_ distance: DistanceEstimate?) {
    member("distance_m", distance?.distance, 3)
    member("ci95_m", distance?.interval)
  }

  fileprivate mutating func add(_ beacon: WatchedBeacon) {
    member("beacon", beacon.id)
    if let name = beacon.name { member("name", name) }
    member("receiver", beacon.receiver)
  }
}

extension ProximityEvent.Kind {
  /// As JSON has it.
  fileprivate var name: String {
    switch self {
    case .enter: "enter"
    case .exit: "exit"
    case .regionEnter: "region-enter"
    case .regionExit: "region-exit"
    case .zone: "zone"
    case .rangeReached: "range-reached"
    case .rangeLeft: "range-left"
    case .levelChange: "level-change"
    }
  }
}

extension Trend.Direction {
  /// As JSON has it.
  fileprivate var name: String {
    switch self {
    case .warmer: "warmer"
    case .colder: "colder"
    case .unsure: "unsure"
    case .lost: "lost"
    }
  }
}

extension ProximityEvent.Departure {
  fileprivate var name: String {
    switch self {
    case .unheard: "unheard"
    case .zone: "zone"
    case .end: "end"
    }
  }
}
