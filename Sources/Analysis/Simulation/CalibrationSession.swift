/// A session at the bench: the receiver rests at known distances from one beacon after another.
public struct CalibrationSession: Hashable, Sendable {
  /// Straight-line distances, in metres, in the order they are visited.
  public var distances: [Double] = (1...16).map { 0.5 * Double($0) }
  /// How long the receiver rests at each, in seconds.
  public var dwell = 20.0
  /// Silence while it is carried to the next, in seconds.
  public var pause = 5.0
  /// Indices of the beacons that are measured, one after another.
  public var beacons: [Int]

  /// 0.5 m to 8 m in steps of half a metre, 20 s each.
  public init(beacons: [Int] = [0]) { self.beacons = beacons }
}

/// A rest of the receiver at a known distance from one beacon.
public struct CalibrationDwell: Hashable, Sendable {
  /// Its number in the session, from 0: the trace of its sightings.
  public let index: Int
  /// Index of the beacon.
  public let beacon: Int
  /// True distance, in metres.
  public let distance: Double
  /// When it starts, in nanoseconds since the Unix epoch.
  public let start: Int64
  /// When it ends, in nanoseconds since the Unix epoch.
  public let end: Int64
}
