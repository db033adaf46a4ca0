public import Geometry

/// What a floor plan shows besides the answers; lengths in metres.
public struct ReportedSite: Equatable, Codable, Sendable {
  /// A node at a known place.
  public struct Anchor: Equatable, Codable, Sendable {
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
  public struct Wall: Equatable, Codable, Sendable {
    /// What it is of.
    public var kind: String
    public var points: [Point]

    public init(kind: String = "wall", points: [Point]) {
      self.kind = kind
      self.points = points
    }
  }

  /// A place of interest.
  public struct Spot: Equatable, Codable, Sendable {
    public var name: String
    public var place: Point

    public init(name: String, place: Point) {
      self.name = name
      self.place = place
    }
  }

  /// A picture of the floor.
  public struct Floor: Equatable, Codable, Sendable {
    /// A coordinate of the pixel (u, v), from the left and from the top: origin + u × u + v × v.
    public struct Coordinate: Equatable, Codable, Sendable {
      public var origin: Double
      public var u: Double
      public var v: Double

      public init(origin: Double, u: Double, v: Double) {
        (self.origin, self.u, self.v) = (origin, u, v)
      }

      func callAsFunction(_ u: Int, _ v: Int) -> Double {
        origin + self.u * Double(u) + self.v * Double(v)
      }
    }

    public var name: String
    /// The picture's bytes as a `data:` address.
    public var uri: String
    /// Pixels.
    public var width: Int
    public var height: Int
    public var x: Coordinate
    public var y: Coordinate

    public init(
      name: String, uri: String, width: Int, height: Int, x: Coordinate, y: Coordinate
    ) {
      (self.name, self.uri, self.width, self.height) = (name, uri, width, height)
      (self.x, self.y) = (x, y)
    }

    public var corners: [Point] {
      [(0, 0), (width, 0), (width, height), (0, height)].map { Point(x: x($0, $1), y: y($0, $1)) }
    }
  }

  /// A picture of it; nil = none.
  public var floor: Floor?
  public var anchors: [Anchor]
  public var walls: [Wall]
  public var rooms: [Polygon]
  public var spots: [Spot]
  /// Where positions were looked for; nil = not limited.
  public var bounds: Bounds?

  public init(
    anchors: [Anchor] = [], walls: [Wall] = [], rooms: [Polygon] = [], spots: [Spot] = [],
    bounds: Bounds? = nil, floor: Floor? = nil
  ) {
    self.floor = floor
    self.anchors = anchors
    self.walls = walls
    self.rooms = rooms
    self.spots = spots
    self.bounds = bounds
  }
}
