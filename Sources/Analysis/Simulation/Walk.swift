public import Geometry
import NumericalMethods
import RealModule

/// A corner of a walk: the receiver goes straight and evenly from each to the next.
public struct Waypoint: Hashable, Sendable {
  /// The time at the corner, in nanoseconds since the Unix epoch.
  public let time: Int64
  /// The place of the corner, in metres.
  public let position: Point
}

/// The corners of one walk in time order, drawn as they are asked for.
///
/// The receiver walks straight at constant speed from one uniformly random place of the room to the
/// next (Johnson and Maltz's random waypoint model, 1996, without pauses), no nearer to a wall than
/// half a metre, and stops wherever it is when the time is over.
/// Linear interpolation between the corners is exact, by definition of the walk.
public struct Walk: Sequence, Sendable {
  let scenario: Scenario
  let trace: Int

  public func makeIterator() -> Iterator { Iterator(scenario, trace) }

  /// The corners that are left of a walk.
  public struct Iterator: IteratorProtocol, Sendable {
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

    public mutating func next() -> Waypoint? {
      guard elapsed < plan.duration else { return nil }
      guard let here = place else {
        let first = room.place(from: &stream)
        place = first
        return Waypoint(time: start, position: first)
      }
      let there = room.place(from: &stream, farFrom: here, by: 0.2)
      let seconds = here.distance(to: there) / plan.speed
      let share = Swift.min(1, (plan.duration - elapsed) / seconds)
      elapsed = share < 1 ? plan.duration : elapsed + seconds
      let reached = here.interpolated(to: there, share)
      place = reached
      return Waypoint(time: start + nanoseconds(elapsed), position: reached)
    }
  }
}

/// Where a receiver on a walk is, how far it has come and where it heads, at times that never fall.
struct Walker {
  private var corners: Walk.Iterator
  private var from: Waypoint
  private var to: Waypoint
  private var walkedBefore = 0.0
  /// The unit vector of the direction in which the person looks.
  private var heading: Point

  /// Stands at the walk's first corner, or nil where the walk has none.
  init?(_ walk: Walk) {
    corners = walk.makeIterator()
    guard let first = corners.next() else { return nil }
    from = first
    to = corners.next() ?? first
    // A person who does not walk looks somewhere, too.
    var stream = RandomStream(seed: walk.scenario.seed, for: .heading, walk.trace)
    let angle = 2 * Double.pi * stream.uniform()
    heading = Point(x: .cos(angle), y: .sin(angle))
    turn()
  }

  /// The place, in metres, the distance walked since the start, in metres, and the unit vector of
  /// the heading; nil after the end.
  mutating func advance(to time: Int64) -> (position: Point, walked: Double, heading: Point)? {
    while time > to.time {
      guard let next = corners.next() else { return nil }
      walkedBefore += from.position.distance(to: to.position)
      from = to
      to = next
      turn()
    }
    let share = to.time > from.time ? Double(time - from.time) / Double(to.time - from.time) : 0
    let position = from.position.interpolated(to: to.position, share)
    return (position, walkedBefore + from.position.distance(to: position), heading)
  }

  private mutating func turn() {
    let length = from.position.distance(to: to.position)
    guard length > 0 else { return }
    heading = Point(
      x: (to.position.x - from.position.x) / length, y: (to.position.y - from.position.y) / length)
  }
}

extension Room {
  /// A uniformly random place, no nearer to a wall than half a metre.
  func place(from stream: inout RandomStream<Xoshiro256>) -> Point {
    let margin = min(0.5, width / 4, depth / 4)
    return Point(
      x: margin + (width - 2 * margin) * stream.uniform(),
      y: margin + (depth - 2 * margin) * stream.uniform())
  }

  /// A random place that is worth the way: no nearer to another than so many metres.
  func place(
    from stream: inout RandomStream<Xoshiro256>, farFrom here: Point, by distance: Double
  ) -> Point {
    var there = place(from: &stream)
    while here.distance(to: there) < distance { there = place(from: &stream) }
    return there
  }
}

extension Point {
  /// The place after a share of the straight way to another.
  func interpolated(to other: Point, _ share: Double) -> Point {
    Point(x: x + share * (other.x - x), y: y + share * (other.y - y))
  }
}
