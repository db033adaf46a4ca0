/// A rectangular room, its beacons on the walls and the height at which the receiver is carried.
package struct Room: Hashable, Sendable {
  /// Extent along x, in metres.
  package var width = 12.0
  /// Extent along y, in metres.
  package var depth = 8.0
  /// How many beacons hang on the walls.
  package var beaconCount = 8
  /// Height of the beacons above the floor, in metres.
  package var beaconHeight = 2.0
  /// Height of the receiver above the floor, in metres.
  package var receiverHeight = 1.0

  /// A room of 12 m by 8 m with 8 beacons.
  package init() {}
}
