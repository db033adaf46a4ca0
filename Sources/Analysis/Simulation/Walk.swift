import Geometry
import NumericalMethods

/// The corners of one walk in time order, drawn as they are asked for.
///
/// The receiver walks straight at constant speed from one uniformly random place of the room to the
/// next (Johnson and Maltz's random waypoint model, 1996, without pauses), no nearer to a wall than
/// half a metre, and stops wherever it is when the time is over.
/// Linear interpolation between the corners is exact, by definition of the walk.
package struct Walk: Sequence, Sendable {
  let scenario: Scenario
  let trace: Int

  package func makeIterator() -> Iterator { Iterator(scenario, trace) }

  package struct Iterator: IteratorProtocol, Sendable {
    private let room: Room
    private let plan: WalkPlan
    private let start: Int64
    private var stream: RandomStream<Xoshiro256>
    private var place: Point?
    private var elapsed = 0.0

    init(_ scenario: Scenario, _ trace: Int) {
      room = scenario.room
      plan = scenario.walks
      start = plan.start(ofTrace: trace)
      stream = RandomStream(seed: scenario.seed, for: .walk, trace)
    }

    package mutating func next() -> Waypoint? {
      guard elapsed < plan.duration else { return nil }
      guard let here = place else {
        let first = randomPlace()
        place = first
        return Waypoint(time: start, position: first)
      }
      let there = nextPlace(after: here)
      let seconds = here.distance(to: there) / plan.speed
      let share = Swift.min(1, (plan.duration - elapsed) / seconds)
      elapsed = share < 1 ? plan.duration : elapsed + seconds
      let reached = Point(
        x: here.x + share * (there.x - here.x), y: here.y + share * (there.y - here.y))
      place = reached
      return Waypoint(time: start + nanoseconds(elapsed), position: reached)
    }

    /// A random place that is worth the way: legs are 0.2 m long or longer.
    private mutating func nextPlace(after here: Point) -> Point {
      var there = randomPlace()
      while here.distance(to: there) < 0.2 { there = randomPlace() }
      return there
    }

    private mutating func randomPlace() -> Point {
      let margin = Swift.min(0.5, room.width / 4, room.depth / 4)
      return Point(
        x: margin + (room.width - 2 * margin) * stream.uniform(),
        y: margin + (room.depth - 2 * margin) * stream.uniform())
    }
  }
}
