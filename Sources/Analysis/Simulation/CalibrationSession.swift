/// A session at the bench: the receiver rests at known distances from one beacon after another.
package struct CalibrationSession: Hashable, Sendable {
  /// Straight-line distances, in metres, in the order they are visited.
  package var distances: [Double] = (1...16).map { 0.5 * Double($0) }
  /// How long the receiver rests at each, in seconds.
  package var dwell = 20.0
  /// Silence while it is carried to the next, in seconds.
  package var pause = 5.0
  /// Indices of the beacons that are measured, one after another.
  package var beacons: [Int]

  /// 0.5 m to 8 m in steps of half a metre, 20 s each.
  package init(beacons: [Int] = [0]) { self.beacons = beacons }
}

/// A rest of the receiver at a known distance from one beacon.
package struct CalibrationDwell: Hashable, Sendable {
  /// Its number in the session, from 0: the trace of its sightings.
  package let index: Int
  /// Index of the beacon.
  package let beacon: Int
  /// True distance, in metres.
  package let distance: Double
  /// When it starts, in nanoseconds since the Unix epoch.
  package let start: Int64
  /// When it ends, in nanoseconds since the Unix epoch.
  package let end: Int64
}
