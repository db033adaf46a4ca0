public import Geometry
import NumericalMethods
import RealModule

/// A corner of a walk: between corners the receiver moves in a straight line at constant speed.
///
/// Between corners on two floors it takes the stairs, and arrives on the other floor halfway.
public struct Waypoint: Hashable, Sendable {
  /// The time at the corner, in nanoseconds since the Unix epoch.
  public let time: Int64
  /// The place of the corner, in metres.
  public let position: Point
  /// The number of the floor, from 0.
  public internal(set) var floor = 0
}

/// The corners of one walk in time order, generated lazily.
///
/// The receiver walks straight at constant speed from one uniformly random place of the room to the
/// next (Johnson and Maltz's random waypoint model, 1996), no nearer to a wall than half a metre, and
/// stops at the end of the time. If it also stops on the way, a corner comes twice, on arrival and on
/// departure. Linear interpolation between the corners is exact. In a building, some ways lead to
/// stairs. In a flat, the receiver goes from room to room through the doors, and stops in rooms.
public struct Walk: Sequence, Sendable {
  let scenario: Scenario
  let trace: Int

  public func makeIterator() -> Iterator { Iterator(scenario, trace) }

  /// The remaining corners of a walk.
  public struct Iterator: IteratorProtocol, Sendable {
    private let room: Room
    private let plan: WalkPlan
    private let start: Int64
    private var stream: RandomStream<Xoshiro256>
    private var place: Point?
    private var stairs: StairUse?
    private var tour: FlatTour?
    private var elapsed = 0.0
    private var hasStopped = true

    init(_ scenario: Scenario, _ trace: Int) {
      room = scenario.room
      plan = scenario.walks
      start = plan.start(ofTrace: trace)
      stream = RandomStream(seed: scenario.seed, for: .walk, trace)
      stairs = scenario.storeys.map { StairUse($0, in: scenario.room, from: &stream) }
      tour = scenario.flat.map { _ in FlatTour(FlatPlan(scenario.room), from: &stream) }
    }

    public mutating func next() -> Waypoint? {
      guard elapsed < plan.duration else { return nil }
      guard let here = place else {
        let first = tour?.next(from: &stream) ?? room.place(from: &stream)
        place = first
        return corner(at: first)
      }
      if !hasStopped {
        hasStopped = true
        elapsed = Swift.min(elapsed + stream.uniform(0, 2 * plan.stop), plan.duration)
        return corner(at: here)
      }
      if let climb = stairs?.climb(within: plan.duration - elapsed, from: &stream) {
        elapsed += climb
        return corner(at: here)
      }
      let there =
        tour?.next(from: &stream) ?? stairs?.stairwell(from: &stream)
        ?? room.place(from: &stream, farFrom: here, by: 0.2)
      let seconds = here.distance(to: there) / plan.speed
      let share = Swift.min(1, (plan.duration - elapsed) / seconds)
      elapsed = share < 1 ? plan.duration : elapsed + seconds
      let reached = here.interpolated(to: there, share)
      place = reached
      hasStopped = plan.stop == 0 || tour?.isPassing == true
      return corner(at: reached)
    }

    private func corner(at place: Point) -> Waypoint {
      Waypoint(
        time: start + nanoseconds(elapsed), position: place, floor: stairs?.floor ?? 0)
    }
  }
}

/// The place, the distance travelled and the heading of a receiver on a walk, at increasing times.
struct Walker {
  /// The state of the receiver at a time.
  struct State {
    /// The place, in metres.
    var position: Point
    /// The distance travelled since the start, in metres.
    var walked: Double
    /// The unit vector of the heading.
    var heading: Point
    /// The level in floors above the lowest.
    var level: Double
  }

  private var corners: Walk.Iterator
  private var from: Waypoint
  private var to: Waypoint
  private var walkedBefore = 0.0
  private let storeyHeight: Double
  /// The unit vector of the person's heading.
  private var heading: Point

  /// Starts at the walk's first corner, or returns `nil` if the walk has none.
  init?(_ walk: Walk) {
    corners = walk.makeIterator()
    storeyHeight = walk.scenario.storeys?.height ?? 0
    guard let first = corners.next() else { return nil }
    from = first
    to = corners.next() ?? first
    // A person who does not walk has a heading, too.
    var stream = RandomStream(seed: walk.scenario.seed, for: .heading, walk.trace)
    let angle = 2 * Double.pi * stream.uniform()
    heading = Point(x: .cos(angle), y: .sin(angle))
    turn()
  }

  /// Returns the state at a time, or `nil` after the end.
  mutating func advance(to time: Int64) -> State? {
    while time > to.time {
      guard let next = corners.next() else { return nil }
      walkedBefore += distance(to: to.position, floors: Double(to.floor - from.floor))
      from = to
      to = next
      turn()
    }
    let share = to.time > from.time ? Double(time - from.time) / Double(to.time - from.time) : 0
    let position = from.position.interpolated(to: to.position, share)
    let floors = share * Double(to.floor - from.floor)
    return State(
      position: position, walked: walkedBefore + distance(to: position, floors: floors),
      heading: heading, level: Double(from.floor) + floors)
  }

  /// Returns the distance travelled since the last corner: along the floor, or up and down stairs.
  private func distance(to place: Point, floors: Double) -> Double {
    from.position.distance(to: place) + abs(floors) * storeyHeight
  }

  private mutating func turn() {
    let length = from.position.distance(to: to.position)
    guard length > 0 else { return }
    heading = Point(
      x: (to.position.x - from.position.x) / length, y: (to.position.y - from.position.y) / length)
  }
}

extension Room {
  /// Returns a uniformly random place, no nearer to a wall than half a metre.
  func place(from stream: inout RandomStream<Xoshiro256>) -> Point {
    Point(
      x: margin + (width - 2 * margin) * stream.uniform(),
      y: margin + (depth - 2 * margin) * stream.uniform())
  }

  /// Returns a random place at no less than a given distance in metres from another.
  func place(
    from stream: inout RandomStream<Xoshiro256>, farFrom here: Point, by distance: Double
  ) -> Point {
    var there = place(from: &stream)
    while here.distance(to: there) < distance { there = place(from: &stream) }
    return there
  }
}

extension Point {
  /// Returns the linear interpolation to another place by a share.
  func interpolated(to other: Point, _ share: Double) -> Point {
    Point(x: x + share * (other.x - x), y: y + share * (other.y - y))
  }
}
