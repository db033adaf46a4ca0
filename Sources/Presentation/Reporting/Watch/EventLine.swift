import Foundation
package import LivePipelines
import NumericalMethods
package import Proximity
import Recordings
import Registries
import Sightings
import Support

/// An event or a ranging as one line of JSON, keys in a fixed order, so that the same is the same
/// bytes.
package struct EventLine {
  private var text: String

  /// - Parameters:
  ///   - event: its name.
  ///   - time: nanoseconds since the Unix epoch.
  private init(_ event: String, time: Int64) {
    text = "{\"time_s\":" + Timestamp.decimalSeconds(time) + ",\"event\":" + jsonQuoted(event)
  }

  private mutating func add(_ key: String, _ value: String?) {
    // Keys of notes come from a registry.
    text += "," + jsonQuoted(key) + ":" + (value.map(jsonQuoted) ?? "null")
  }

  /// A number with a count of decimals; null for nil.
  private mutating func add(_ key: String, _ value: Double?, _ decimals: Int) {
    text += ",\"\(key)\":" + Self.number(value, decimals)
  }

  private mutating func add(_ distance: DistanceEstimate?) {
    add("distance_m", distance?.distance, 3)
    add("ci95_m", distance?.interval)
  }

  private mutating func add(_ key: String, _ interval: Interval?) {
    let limits = interval.map {
      "[\(Self.number($0.lower, 3)),\(Self.number($0.upper, 3))]"
    }
    text += ",\"\(key)\":" + (limits ?? "null")
  }

  private mutating func add(_ beacon: WatchedBeacon) {
    add("beacon", beacon.id)
    if let name = beacon.name { add("name", name) }
    add("receiver", beacon.receiver)
  }

  /// A list of objects, each written by a function into an empty line.
  private mutating func add<Element>(
    _ key: String, _ elements: [Element], _ write: (Element, inout EventLine) -> Void
  ) {
    text += ",\"\(key)\":["
    for (index, element) in elements.enumerated() {
      var line = EventLine()
      write(element, &line)
      text += (index == 0 ? "{" : ",{") + line.text.dropFirst() + "}"
    }
    text += "]"
  }

  /// The whole line with its end.
  package func finished() -> String { text + "}\n" }

  private init() { text = "" }

  private static func number(_ value: Double?, _ decimals: Int) -> String {
    guard let value, value.isFinite else { return "null" }
    return decimal(value, decimals)
  }
}

extension EventLine {
  /// What changed.
  package init(_ event: ProximityEvent, of beacon: WatchedBeacon, region: String?) {
    self.init(event.kind.name, time: event.time)
    if let region { add("region", region) }
    add(beacon)
    add("trace", beacon.trace)
    add("zone", event.zone.description)
    switch event.kind {
    case .zone(let before): add("previous_zone", before.description)
    case .exit(let reason): add("reason", reason.name)
    case .rangeReached:
      add("range_m", event.range, 3)
      if let description = beacon.registered?.description { add("description", description) }
      for (key, note) in (beacon.registered?.notes ?? [:]).sorted(by: { $0.key < $1.key }) {
        add("note_" + key, note)
      }
    case .rangeLeft: add("range_m", event.range, 3)
    default: break
    }
    add(event.distance)
    add("rssi_dbm", event.level, 2)
  }

  /// The beacons of a region in order of distance.
  package init(_ ranging: Ranging, region: String, trace: String, _ beacon: (Int) -> WatchedBeacon)
  {
    self.init("ranging", time: ranging.time)
    add("region", region)
    add("trace", trace)
    add("beacons", ranging.beacons) { ranged, line in
      line.add(beacon(ranged.link))
      line.add("zone", ranged.zone.description)
      line.add(ranged.distance)
      line.add("rssi_dbm", ranged.level, 2)
      line.add("variance_db2", ranged.variance, 3)
      line.add("silence_s", ranged.silence, 3)
      line.addCount("sightings", ranged.sightings)
    }
  }

  /// How the search for a beacon goes.
  package init(_ seek: SeekReading, of beacon: WatchedBeacon) {
    self.init("seek", time: seek.time)
    add(beacon)
    add("trace", beacon.trace)
    add("trend", seek.direction.name)
    add("slope_db_per_s", seek.slope?.rate, 3)
    add("ci95_db_per_s", seek.slope?.interval)
    add("zone", seek.beacon.zone.description)
    add(seek.beacon.distance)
    add("rssi_dbm", seek.beacon.level, 2)
    add("silence_s", seek.beacon.silence, 3)
  }

  private mutating func addCount(_ key: String, _ value: Int) { text += ",\"\(key)\":\(value)" }
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
