/// A rectangular room, its beacons on the walls and the height at which the receiver is carried.
public struct Room: Hashable, Sendable {
  /// Extent along x, in metres.
  public var width = 12.0
  /// Extent along y, in metres.
  public var depth = 8.0
  /// How many beacons hang on the walls.
  public var beaconCount = 8
  /// Height of the beacons above the floor, in metres.
  public var beaconHeight = 2.0
  /// Height of the receiver above the floor, in metres.
  public var receiverHeight = 1.0

  /// A room of 12 m by 8 m with 8 beacons.
  public init() {}
}
