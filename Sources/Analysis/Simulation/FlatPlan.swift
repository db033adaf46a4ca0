public import Geometry
import NumericalMethods

/// The plan of a flat: rooms on both sides of a hall, walls, and open doors between rooms.
public struct FlatPlan: Hashable, Sendable {
  /// A rectangular room of the flat.
  public struct Room: Hashable, Sendable {
    /// The name of the room.
    public let name: String
    /// The extent along x, in metres.
    public let x: ClosedRange<Double>
    /// The extent along y, in metres.
    public let y: ClosedRange<Double>
  }

  /// An open door between two rooms.
  public struct Door: Hashable, Sendable {
    /// The numbers of the rooms on both sides; only one for the door out of the flat.
    public let rooms: [Int]
    /// The middle, in metres.
    public let place: Point
  }

  /// The width of a door, in metres.
  public static let doorWidth = 0.9

  /// The rooms. The last is the hall, to which each other has a door.
  public let rooms: [Room]
  /// The doors; the last leads out of the flat.
  public let doors: [Door]
  /// The walls, each as its pieces beside the door; the last four are around the flat.
  public let walls: [[Segment]]

  /// Creates the plan of a flat as large as a room.
  public init(_ outline: Simulation.Room) {
    let (width, depth) = (outline.width, outline.depth)
    rooms = [
      ("living-room", 0, 0.6, 0.55, 1), ("kitchen", 0.6, 1, 0.55, 1), ("bedroom", 0, 0.4, 0, 0.4),
      ("bathroom", 0.4, 0.65, 0, 0.4), ("study", 0.65, 1, 0, 0.4), ("hall", 0, 1, 0.4, 0.55),
    ].map { (name, left, right, low, high) in
      Room(name: name, x: width * left...width * right, y: depth * low...depth * high)
    }
    let hall = rooms.count - 1
    var doors: [Door] = []
    var walls: [[Segment]] = []
    for one in rooms.indices {
      for other in (one + 1)..<rooms.count {
        guard let wall = rooms[one].wall(to: rooms[other]) else { continue }
        let hasDoor = other == hall || (one, other) == (0, 1)
        if hasDoor { doors.append(Door(rooms: [one, other], place: wall.middle)) }
        walls.append(hasDoor ? wall.beside(wall.middle) : [wall])
      }
    }
    let corners = Room(name: "flat", x: 0...width, y: 0...depth).corners
    walls += zip(corners, corners.dropFirst()).map { [Segment(from: $0, to: $1)] }
    let entrance = Point(x: 0, y: (rooms[hall].y.lowerBound + rooms[hall].y.upperBound) / 2)
    doors.append(Door(rooms: [hall], place: entrance))
    walls.append(Segment(from: corners[3], to: corners[0]).beside(entrance))
    (self.doors, self.walls) = (doors, walls)
  }

  /// Returns the corners of the way from one room to another: the middles of doors, and places
  /// before and behind each, between which the way stays in a room.
  func way(from one: Int, to other: Int) -> [Point] {
    guard let door = doors.first(where: { $0.rooms == [min(one, other), max(one, other)] }) else {
      let hall = rooms.count - 1
      return way(from: one, to: hall) + way(from: hall, to: other)
    }
    return [rooms[one].inner(door.place), door.place, rooms[other].inner(door.place)]
  }

  /// Returns places for beacons at the walls of one room after another, beside the doors.
  func beaconPlaces(_ count: Int, seed: UInt64) -> [Point] {
    let offset = Self.beaconDistance
    var layouts = rooms.indices.map { number in
      var stream = RandomStream(seed: seed, for: .layout, number)
      let (from, to) = (rooms[number].corners[0], rooms[number].corners[2])
      return (
        next: 0,
        layout: BeaconLayout(
          width: to.x - from.x - 2 * offset, depth: to.y - from.y - 2 * offset,
          offset: stream.uniform())
      )
    }
    return (0..<count).map { index in
      let number = index % rooms.count
      let corner = rooms[number].corners[0]
      while true {
        let place = layouts[number].layout.position(of: layouts[number].next)
        layouts[number].next += 1
        let shifted = Point(x: corner.x + offset + place.x, y: corner.y + offset + place.y)
        if doors.allSatisfy({ $0.place.distance(to: shifted) > Self.doorWidth }) { return shifted }
      }
    }
  }

  /// The distance of beacons from the middle of their wall, in metres.
  private static let beaconDistance = 0.1
}

extension FlatPlan.Room {
  /// The corners counterclockwise, in metres.
  public var corners: [Point] {
    [
      Point(x: x.lowerBound, y: y.lowerBound), Point(x: x.upperBound, y: y.lowerBound),
      Point(x: x.upperBound, y: y.upperBound), Point(x: x.lowerBound, y: y.upperBound),
    ]
  }

  /// The least distance of a walk from the walls, in metres.
  private var margin: Double {
    min(0.5, (x.upperBound - x.lowerBound) / 4, (y.upperBound - y.lowerBound) / 4)
  }

  /// Returns the nearest place of a walk in the room.
  func inner(_ place: Point) -> Point {
    Point(
      x: min(max(place.x, x.lowerBound + margin), x.upperBound - margin),
      y: min(max(place.y, y.lowerBound + margin), y.upperBound - margin))
  }

  /// Returns a uniformly random place of a walk in the room.
  func place(from stream: inout RandomStream<Xoshiro256>) -> Point {
    let (low, high) = (inner(corners[0]), inner(corners[2]))
    return Point(
      x: low.x + (high.x - low.x) * stream.uniform(),
      y: low.y + (high.y - low.y) * stream.uniform())
  }

  /// Returns the wall to another room, or `nil` if the rooms touch in at most a corner.
  fileprivate func wall(to other: Self) -> Segment? {
    let from = Point(
      x: max(x.lowerBound, other.x.lowerBound), y: max(y.lowerBound, other.y.lowerBound))
    let to = Point(
      x: min(x.upperBound, other.x.upperBound), y: min(y.upperBound, other.y.upperBound))
    guard from.x <= to.x, from.y <= to.y, from != to else { return nil }
    return Segment(from: from, to: to)
  }
}

extension Segment {
  fileprivate var middle: Point { from.interpolated(to: to, 0.5) }

  /// Returns the two pieces beside a door in the wall.
  fileprivate func beside(_ door: Point) -> [Segment] {
    let share = FlatPlan.doorWidth / 2 / from.distance(to: to)
    let (along, up) = ((to.x - from.x) * share, (to.y - from.y) * share)
    return [
      Segment(from: from, to: Point(x: door.x - along, y: door.y - up)),
      Segment(from: Point(x: door.x + along, y: door.y + up), to: to),
    ]
  }
}

/// The corners of a person's walk through a flat: from room to room through the doors, and in each
/// room to one to three places.
struct FlatTour: Sendable {
  private let plan: FlatPlan
  private var room: Int
  /// The number of places that the person still visits in the room.
  private var visits: Int
  private var way: ArraySlice<Point> = []

  /// Starts in a random room.
  init(_ plan: FlatPlan, from stream: inout RandomStream<Xoshiro256>) {
    self.plan = plan
    room = Int(stream.uniform() * Double(plan.rooms.count))
    visits = Self.visits(from: &stream)
  }

  private static func visits(from stream: inout RandomStream<Xoshiro256>) -> Int {
    1 + Int(stream.uniform() * 3)
  }

  /// A Boolean value that is true if the last corner is on the way, not a place that is visited.
  var isPassing: Bool { !way.isEmpty }

  /// Returns the next corner.
  mutating func next(from stream: inout RandomStream<Xoshiro256>) -> Point {
    if way.isEmpty {
      if visits == 0 {
        let step = 1 + Int(stream.uniform() * Double(plan.rooms.count - 1))
        let other = (room + step) % plan.rooms.count
        way = plan.way(from: room, to: other)[...]
        (room, visits) = (other, Self.visits(from: &stream))
      }
      visits -= 1
      way.append(plan.rooms[room].place(from: &stream))
    }
    return way.removeFirst()
  }
}
