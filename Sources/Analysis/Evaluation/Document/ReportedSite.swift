public import Geometry

/// What a floor plan shows besides the answers; lengths in metres.
public struct ReportedSite: Equatable, Sendable {
  /// A node at a known place.
  public struct Anchor: Equatable, Sendable {
    /// The name that people read.
    public var name: String
    public var place: Point
    /// Metres above the site's zero of heights; nil where it is not known.
    public var height: Double?

    public init(name: String, place: Point, height: Double? = nil) {
      self.name = name
      self.place = place
      self.height = height
    }
  }

  /// A wall, straight or with corners.
  public struct Wall: Equatable, Sendable {
    /// What it is of.
    public var kind: String
    public var points: [Point]

    public init(kind: String = "wall", points: [Point]) {
      self.kind = kind
      self.points = points
    }
  }

  /// A place of interest.
  public struct Spot: Equatable, Sendable {
    public var name: String
    public var place: Point

    public init(name: String, place: Point) {
      self.name = name
      self.place = place
    }
  }

  public var anchors: [Anchor]
  public var walls: [Wall]
  public var rooms: [Polygon]
  public var spots: [Spot]
  /// Where positions were looked for; nil = not limited.
  public var bounds: Bounds?

  public init(
    anchors: [Anchor] = [], walls: [Wall] = [], rooms: [Polygon] = [], spots: [Spot] = [],
    bounds: Bounds? = nil
  ) {
    self.anchors = anchors
    self.walls = walls
    self.rooms = rooms
    self.spots = spots
    self.bounds = bounds
  }
}
