/// A row of truth about a node in a trace.
package protocol NodeTruth {
  /// The time in nanoseconds since the Unix epoch.
  var time: Int64 { get set }
  var role: NodeRole { get set }
  /// The row of the node in the catalogue.
  var node: UInt32 { get set }
  /// The row of the trace in the catalogue.
  var trace: UInt16 { get set }
}

extension NodeTruth {
  /// Returns a Boolean value that is true if it is of the same node in the same trace.
  package func isSameNode(as other: Self) -> Bool {
    role == other.role && node == other.node && trace == other.trace
  }
}

extension TruthPoint: NodeTruth {}
extension RoomMark: NodeTruth {}

/// The true place of a node at an instant; positions are interpolated linearly.
public struct TruthPoint: Equatable, Sendable {
  /// The time, in nanoseconds since the Unix epoch.
  public var time: Int64
  /// The role of the node.
  public var role: NodeRole
  /// The index among the nodes of that role.
  public var node: UInt32
  /// The row of the trace in the catalogue.
  public var trace: UInt16
  /// The row of the floor in the catalogue; `nil` if it is unknown.
  public var floor: UInt16?
  /// The x coordinate, in metres.
  public var x: Double
  /// The y coordinate, in metres.
  public var y: Double
  /// The height above the floor, in metres; NaN if it is unknown.
  public var z: Double

  /// Creates a point; the time is in nanoseconds since the Unix epoch, coordinates are in metres.
  public init(
    time: Int64, role: NodeRole, node: UInt32, trace: UInt16, floor: UInt16? = nil, x: Double,
    y: Double, z: Double
  ) {
    self.time = time
    self.role = role
    self.node = node
    self.trace = trace
    self.floor = floor
    self.x = x
    self.y = y
    self.z = z
  }

  /// Returns a Boolean value that is true if two points are equal, including unknown heights.
  public static func isSame(_ a: TruthPoint, _ b: TruthPoint) -> Bool {
    a.time == b.time && a.isSamePlace(as: b)
  }

  /// Returns a Boolean value that is true if it is of the same node in the same trace and at the
  /// same place.
  func isSamePlace(as other: TruthPoint) -> Bool {
    isSameNode(as: other) && floor == other.floor && x == other.x && y == other.y
      && Sightings.isSame(z, other.z)
  }
}

/// The room of a node from a time on, until the next mark of the node in its trace or the end of
/// that.
public struct RoomMark: Equatable, Sendable {
  /// The time in nanoseconds since the Unix epoch.
  public var time: Int64
  /// The role of the node.
  public var role: NodeRole
  /// The row of the node in the catalogue.
  public var node: UInt32
  /// The row of the trace in the catalogue.
  public var trace: UInt16
  /// The name of the room; empty if it is unknown from then on.
  public var room: String

  /// Creates a mark; the time is in nanoseconds since the Unix epoch.
  public init(time: Int64, role: NodeRole, node: UInt32, trace: UInt16, room: String) {
    (self.time, self.role, self.node, self.trace) = (time, role, node, trace)
    self.room = TextLimit.room.fitted(room)
  }
}

/// A stay of one link at one known distance; a `Stay` of Geometry is at one known place.
///
/// A pose is the orientation of the node in such a stay, and has a name of its own.
public struct DistanceStay: Equatable, Sendable {
  /// The row of the beacon in the catalogue.
  public var beacon: UInt32
  /// The row of the receiver in the catalogue.
  public var receiver: UInt16
  /// The row of the trace in the catalogue.
  public var trace: UInt16
  /// The time of the first sighting, in nanoseconds since the Unix epoch.
  public var start: Int64
  /// The time of the last sighting, in nanoseconds since the Unix epoch.
  public var end: Int64
  /// The distance from the receiver to the beacon, in metres.
  public var distance: Double
  /// The name of the pose; empty if it has none.
  public var pose: String = ""

  /// Creates a stay; times are in nanoseconds since the Unix epoch, the distance is in metres.
  public init(
    beacon: UInt32, receiver: UInt16, trace: UInt16, start: Int64, end: Int64, distance: Double
  ) {
    self.beacon = beacon
    self.receiver = receiver
    self.trace = trace
    self.start = start
    self.end = end
    self.distance = distance
  }
}

/// A builder of stays at known distances from readings with a distance.
///
/// Successive readings of one link in one trace with the same distance are one stay; a distance
/// that recurs later is another stay.
struct OpenStays: Sendable {
  private var open: [Link: UInt32] = [:]
  private var last: (link: Link, index: UInt32)?

  /// Returns the stay of one reading, which is added to `stays` if it is new.
  mutating func index(
    of sighting: Sighting, distance: Double, pose: String, in stays: inout [DistanceStay]
  ) -> UInt32 {
    let link = Link(
      beacon: sighting.beacon, receiver: sighting.receiver, trace: sighting.trace)
    let current = last.flatMap { $0.link == link ? $0.index : nil } ?? open[link]
    if let current, stays[Int(current)].distance == distance, stays[Int(current)].pose == pose {
      stays[Int(current)].start = min(stays[Int(current)].start, sighting.time)
      stays[Int(current)].end = max(stays[Int(current)].end, sighting.time)
      last = (link, current)
      return current
    }
    let index = UInt32(stays.count)
    var stay = DistanceStay(
      beacon: sighting.beacon, receiver: sighting.receiver, trace: sighting.trace,
      start: sighting.time, end: sighting.time, distance: distance)
    stay.pose = pose
    stays.append(stay)
    open[link] = index
    last = (link, index)
    return index
  }
}

/// The true mean level of a link at an instant, interpolated linearly.
///
/// The mean excludes differences between packets and channels: it is the level that a filter should
/// recover. Rows of a link may be in any order of time.
package struct TruthLevel: Equatable, Sendable {
  /// The time in nanoseconds since the Unix epoch.
  package var time: Int64
  package var beacon: UInt32
  package var receiver: UInt16
  package var trace: UInt16
  /// The level in dBm, -127 to 20.
  package var rssi: Float

  package init(time: Int64, beacon: UInt32, receiver: UInt16, trace: UInt16, rssi: Float) {
    self.time = time
    self.beacon = beacon
    self.receiver = receiver
    self.trace = trace
    self.rssi = rssi
  }

  /// Returns a true level, or NaN outside -127 to 20 dBm. Unlike a received one it may be 0.
  package static func usable(_ rssi: Float) -> Float { rssi == 0 ? 0 : level(rssi) }
}
