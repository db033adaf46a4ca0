/// The beacons of a region at one instant, the nearest first.
package struct Ranging: Equatable, Sendable {
  /// Nanoseconds since the Unix epoch.
  package var time: Int64
  package var region: Int
  package var beacons: [RangedBeacon]
}

/// One beacon at one instant.
package struct RangedBeacon: Equatable, Sendable {
  package var link: Int
  /// A Boolean value that is true if it has not left yet.
  package var isHeard: Bool
  package var zone: Zone
  /// Nil where it is not known: no power is known, or nothing was heard for long.
  package var distance: DistanceEstimate?
  /// Filtered, dBm, and its variance in dB².
  package var level: Double
  package var variance: Double
  /// Seconds since it was heard.
  package var silence: Double
  /// Since the ranging before.
  package var sightings: Int
}

extension RangedBeacon {
  /// The nearest first; those at no known distance last, the strongest of them first.
  static func isNearer(_ a: RangedBeacon, _ b: RangedBeacon) -> Bool {
    switch (a.distance?.distance, b.distance?.distance) {
    case (let x?, let y?): x == y ? a.link < b.link : x < y
    case (_?, nil): true
    case (nil, _?): false
    case (nil, nil): a.level == b.level ? a.link < b.link : a.level > b.level
    }
  }
}
