import Geometry
import NumericalMethods

/// The floor of a walking person, who takes the stairs now and then.
struct StairUse: Sendable {
  /// The number of the floor, from 0.
  private(set) var floor: Int
  private let storeys: Storeys
  private let stairwells: [Point]
  /// The direction in which the person takes the stairs: 1 up, -1 down, 0 to leave them.
  private var direction = 0
  private var flights = 0
  private var isAtStairs = false

  /// Starts on a random floor.
  init(_ storeys: Storeys, in room: Room, from stream: inout RandomStream<Xoshiro256>) {
    self.storeys = storeys
    stairwells = room.stairwells
    floor = Int(stream.uniform() * Double(storeys.count))
  }

  /// Returns the stairwell to which the next way leads, or `nil` if it leads elsewhere.
  mutating func stairwell(from stream: inout RandomStream<Xoshiro256>) -> Point? {
    guard !isAtStairs, stream.uniform() < storeys.stairShare else {
      isAtStairs = false
      return nil
    }
    (isAtStairs, flights) = (true, 0)
    let isUp = stream.uniform() < 0.5
    direction = floor == 0 || (isUp && floor < storeys.count - 1) ? 1 : -1
    return stairwells[stream.uniform() < 0.5 ? 0 : 1]
  }

  /// Climbs to the next floor, or leaves the stairs: by chance after a floor, and if the time left
  /// is too short.
  ///
  /// - Returns: The duration of the climb in seconds; `nil` if the person is not on stairs any more.
  mutating func climb(within seconds: Double, from stream: inout RandomStream<Xoshiro256>)
    -> Double?
  {
    guard direction != 0, storeys.climbDuration <= seconds,
      (0..<storeys.count).contains(floor + direction),
      flights == 0 || stream.uniform() < Storeys.furtherShare
    else {
      direction = 0
      return nil
    }
    floor += direction
    flights += 1
    return storeys.climbDuration
  }
}
