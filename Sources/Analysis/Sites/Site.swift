public import Geometry
public import Proximity

/// What is known of the place where a recording was made; lengths in metres, in one plane.
///
/// Walls are vertical and reach from floor to ceiling: a path is judged by x and y alone.
public struct Site: Hashable, Sendable {
  public var walls: [Wall] = []
  public var anchors: [Anchor] = []
  public var rooms: [Room] = []
  public var spots: [Spot] = []
  /// Beacons that are watched together.
  public var regions: [Region] = []

  /// A site of which nothing is known.
  public init() {}

  /// A wall, straight or with corners.
  public struct Wall: Hashable, Sendable {
    /// The kind of a wall whose file says none.
    public static let unstatedKind = "wall"

    /// What it is of: all walls of a kind weaken a signal alike.
    public var kind: String
    /// The ends and, between them, the corners: two points or more.
    public var points: [Point]
    /// The loss of one crossing in dB, where it is known beforehand.
    public var attenuation: Double?

    public init(_ points: [Point], kind: String = Wall.unstatedKind, attenuation: Double? = nil) {
      self.points = points
      self.kind = kind
      self.attenuation = attenuation
    }
  }

  /// A node with fixed known coordinates.
  public struct Anchor: Hashable, Sendable {
    public enum Role: String, Hashable, Sendable { case beacon, receiver }

    /// The name the node has in recordings.
    public var node: String
    public var role: Role
    public var place: Point
    /// Height above the floor in metres, where it is known.
    public var height: Double?
    /// RSSI at 1 m in dBm, where it is known.
    public var measuredPower: Double?

    public init(
      node: String, role: Role, place: Point, height: Double? = nil, measuredPower: Double? = nil
    ) {
      self.node = node
      self.role = role
      self.place = place
      self.height = height
      self.measuredPower = measuredPower
    }
  }

  /// A place of interest: where to stand, what to find.
  public struct Spot: Hashable, Sendable {
    public var name: String
    public var place: Point
    /// Height above the floor in metres, where it is known.
    public var height: Double?
    /// What a person should know of it.
    public var note: String?

    public init(name: String, place: Point, height: Double? = nil, note: String? = nil) {
      self.name = name
      self.place = place
      self.height = height
      self.note = note
    }
  }
}
