public import Geometry
import Support

/// The floors of a building, each as large as the room, with slabs and two stairwells between them.
///
/// All floors have the coordinates of the room. The beacons of a room are on each floor.
public struct Storeys: Hashable, Sendable {
  /// The number of floors, 2 to 100.
  public var count: Int
  /// The height from one floor to the next, in metres.
  public var height = 3.5
  /// The mean attenuation by one slab, in dB.
  public var slabLoss = 15.0
  /// The standard deviation of the attenuation between beacons, and between the floors of one, in
  /// dB.
  public var slabDeviation = 8.0
  /// The median distance of the apparent place of a beacon on another floor from its own, in metres.
  public var apparentShift = 10.0
  /// The probability that a way on a floor leads to stairs, 0 to 1.
  public var stairShare = 0.25
  /// The time on the stairs from one floor to the next, in seconds.
  public var climbDuration = 8.0

  /// Creates a building of a number of floors.
  public init(count: Int = 2) { self.count = count }

  /// The probability to go on at a landing, to a further floor.
  static let furtherShare = 0.2

  /// Rejects the first parameter that is invalid, or does not fit the rest of the scenario.
  func validate(in scenario: Scenario) throws(RSSIError) {
    try require("storeys", true, as: false, for: scenario.model)
    guard scenario.rests == nil else {
      throw RSSIError(
        .usage, "beacons that rest are in one room", in: "storeys",
        advice: "leave out the floors or the rests")
    }
    try require("storeys.count", Double(count), in: 2...100)
    try require("storeys.height", height, in: 0.1...100)
    try require("storeys.slabLoss", slabLoss, in: 0...200)
    try require("storeys.slabDeviation", slabDeviation, in: 0...100)
    try require("storeys.apparentShift", apparentShift, in: 0...10_000)
    try require("storeys.stairShare", stairShare, in: 0...1)
    try require("storeys.climbDuration", climbDuration, in: 0.001...1e6)
    try require(
      "room.beaconCount × storeys.count", Double(count) * Double(scenario.room.beaconCount),
      in: 2...65_535)
  }
}

extension Room {
  /// The least distance of a walk from the walls, in metres.
  var margin: Double { min(0.5, width / 4, depth / 4) }

  /// The places of the two stairwells: at the middles of the shorter walls, on every floor.
  public var stairwells: [Point] {
    width >= depth
      ? [Point(x: margin, y: depth / 2), Point(x: width - margin, y: depth / 2)]
      : [Point(x: width / 2, y: margin), Point(x: width / 2, y: depth - margin)]
  }
}
