/// The beacons of a region at one instant, the nearest first.
public struct Ranging: Equatable, Sendable {
  /// The time, in nanoseconds since the Unix epoch.
  public var time: Int64
  /// The number of the region.
  public var region: Int
  /// The beacons in the region, the nearest first.
  public var beacons: [RangedBeacon]
}

/// One beacon at one instant.
public struct RangedBeacon: Equatable, Sendable {
  /// The number of the link.
  public var link: Int
  /// A Boolean value that is true if it has not left.
  public var isHeard: Bool
  /// The zone of the beacon.
  public var zone: Zone
  /// The distance; `nil` if no power is known, or the beacon was silent for long.
  public var distance: DistanceEstimate?
  /// The filtered level, in dBm.
  public var level: Double
  /// The variance of the filtered level, in dB².
  public var variance: Double
  /// The time since the last sighting, in seconds.
  public var silence: Double
  /// The number of sightings since the previous ranging.
  public var sightings: Int
}

extension RangedBeacon {
  /// Orders beacons by distance; those without a distance come last, the strongest first.
  static func isNearer(_ a: RangedBeacon, _ b: RangedBeacon) -> Bool {
    switch (a.distance?.distance, b.distance?.distance) {
    case (let x?, let y?): x == y ? a.link < b.link : x < y
    case (_?, nil): true
    case (nil, _?): false
    case (nil, nil): a.level == b.level ? a.link < b.link : a.level > b.level
    }
  }
}
