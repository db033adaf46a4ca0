/// The beacons of a region at one instant, the nearest first.
public struct Ranging: Equatable, Sendable {
  /// Nanoseconds since the Unix epoch.
  public var time: Int64
  public var region: Int
  public var beacons: [RangedBeacon]
}

/// One beacon at one instant.
public struct RangedBeacon: Equatable, Sendable {
  public var link: Int
  /// A Boolean value that is true if it has not left yet.
  public var isHeard: Bool
  public var zone: Zone
  /// Nil where it is not known: no power is known, or nothing was heard for long.
  public var distance: DistanceEstimate?
  /// Filtered, dBm, and its variance in dB².
  public var level: Double
  public var variance: Double
  /// Seconds since it was heard.
  public var silence: Double
  /// Since the ranging before.
  public var sightings: Int
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
