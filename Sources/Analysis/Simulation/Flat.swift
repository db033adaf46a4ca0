import Geometry
import NumericalMethods
import Support

/// A flat of six rooms with walls between them, as large as the room of the scenario.
public struct Flat: Hashable, Sendable {
  /// The mean attenuation by one wall, in dB.
  public var wallLoss = 5.0
  /// The standard deviation of the attenuation between walls, and between the beacons behind one,
  /// in dB.
  public var wallDeviation = 2.0

  /// Creates a flat with light walls.
  public init() {}

  /// Rejects the first parameter that is invalid, or does not fit the rest of the scenario.
  func validate(in scenario: Scenario) throws(RSSIError) {
    try require("flat", true, as: false, for: scenario.model)
    guard scenario.rests == nil, scenario.storeys == nil else {
      throw RSSIError(
        .usage, "a flat has one floor, and beacons that stay", in: "flat",
        advice: "leave out the flat, or the floors and the rests")
    }
    // The narrowest wall with a door and the hall are then wider than a door.
    try require("room.width", scenario.room.width, in: 6...10_000)
    try require("room.depth", scenario.room.depth, in: 7...10_000)
    try require("flat.wallLoss", wallLoss, in: 0...200)
    try require("flat.wallDeviation", wallDeviation, in: 0...100)
  }
}

extension Scenario {
  /// Sets a flat of 12 m by 9 m with a beacon in each room, and walks of 300 s with stops of 20 s.
  public mutating func use(_ flat: Flat) {
    self.flat = flat
    (room.width, room.depth, room.beaconCount) = (12, 9, 6)
    (walks.duration, walks.stop) = (300, 20)
  }
}

/// The attenuation of beacons by the walls of a flat.
///
/// Each wall that the straight path from a beacon crosses attenuates it by a loss of both. A path
/// through a door crosses no wall.
struct FlatWalls: Sendable {
  private let walls: [[Segment]]
  /// The losses of each beacon by each wall, in dB.
  private let losses: [[Double]]

  /// Draws the losses, independently for each beacon and wall.
  init(_ flat: Flat, _ plan: FlatPlan, among beacons: [SimulatedBeacon], seed: UInt64) {
    walls = plan.walls
    losses = beacons.map { beacon in
      plan.walls.indices.map { wall in
        var stream = RandomStream(seed: seed, for: .walls, beacon.index, wall)
        return flat.wallLoss + flat.wallDeviation * stream.gaussian()
      }
    }
  }

  /// Returns the loss of a beacon on the way between two places, in dB.
  func loss(of beacon: Int, from start: Point, to end: Point) -> Double {
    let path = Segment(from: start, to: end)
    return zip(walls, losses[beacon]).reduce(0) { sum, wall in
      wall.0.contains { $0.crosses(path) } ? sum + wall.1 : sum
    }
  }
}

extension Segment {
  /// Returns a Boolean value that is true if two segments cross at a place other than their ends.
  fileprivate func crosses(_ other: Segment) -> Bool {
    side(of: other.from) * side(of: other.to) < 0 && other.side(of: from) * other.side(of: to) < 0
  }

  /// Returns 1 for a place to the left, -1 to the right, and 0 on the line.
  private func side(of place: Point) -> Int {
    let area =
      (to.x - from.x) * (place.y - from.y) - (to.y - from.y) * (place.x - from.x)
    return (area > 0 ? 1 : 0) - (area < 0 ? 1 : 0)
  }
}
