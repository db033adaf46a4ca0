public import Geometry

/// The site for the floor plan of a report; lengths are in metres.
public struct ReportedSite: Equatable, Codable, Sendable {
  /// A node at a known place.
  public struct Anchor: Equatable, Codable, Sendable {
    /// The display name.
    public var name: String
    /// The place in the plane, in metres.
    public var place: Point
    /// The height above the site's zero of heights, in metres; `nil` if it is unknown.
    public var height: Double?

    /// Creates an anchor; the height is in metres.
    public init(name: String, place: Point, height: Double? = nil) {
      self.name = name
      self.place = place
      self.height = height
    }
  }

  /// A wall, straight or with corners.
  public struct Wall: Equatable, Codable, Sendable {
    /// The kind of wall, such as its material.
    public var kind: String
    /// The ends and, between them, the corners, in metres.
    public var points: [Point]

    /// Creates a wall through points.
    public init(kind: String = "wall", points: [Point]) {
      self.kind = kind
      self.points = points
    }
  }

  /// A place of interest.
  public struct Spot: Equatable, Codable, Sendable {
    /// The name of the spot.
    public var name: String
    /// The place in the plane, in metres.
    public var place: Point

    /// Creates a place of interest.
    public init(name: String, place: Point) {
      self.name = name
      self.place = place
    }
  }

  /// A picture of the floor.
  public struct Floor: Equatable, Codable, Sendable {
    /// A coordinate of the pixel (u, v), from the left and from the top: origin + u × u + v × v.
    public struct Coordinate: Equatable, Codable, Sendable {
      /// The coordinate of the pixel (0, 0), in metres.
      public var origin: Double
      /// The change per pixel to the right, in metres.
      public var u: Double
      /// The change per pixel downwards, in metres.
      public var v: Double

      /// Creates a coordinate from lengths in metres.
      public init(origin: Double, u: Double, v: Double) {
        (self.origin, self.u, self.v) = (origin, u, v)
      }

      func callAsFunction(_ u: Int, _ v: Int) -> Double {
        origin + self.u * Double(u) + self.v * Double(v)
      }
    }

    /// The name of the floor.
    public var name: String
    /// The picture's bytes as a `data:` address.
    public var uri: String
    /// The width of the picture, in pixels.
    public var width: Int
    /// The height of the picture, in pixels.
    public var height: Int
    /// The x coordinate of the picture's pixels.
    public var x: Coordinate
    /// The y coordinate of the picture's pixels.
    public var y: Coordinate

    /// Creates a picture of a floor; width and height are in pixels.
    public init(
      name: String, uri: String, width: Int, height: Int, x: Coordinate, y: Coordinate
    ) {
      (self.name, self.uri, self.width, self.height) = (name, uri, width, height)
      (self.x, self.y) = (x, y)
    }

    /// The places of the corners of the picture, from the upper left one clockwise.
    public var corners: [Point] {
      [(0, 0), (width, 0), (width, height), (0, height)].map { Point(x: x($0, $1), y: y($0, $1)) }
    }
  }

  /// A floor of a building, in its own plane.
  package struct Storey: Equatable, Codable, Sendable {
    /// Everything that is drawn on the floor.
    package var content: ReportedSite
    /// The place of the floor's origin in the frame of the building, in metres; `nil` if it is
    /// unknown.
    package var shift: Point?

    package init(_ content: ReportedSite, shift: Point? = nil) {
      (self.content, self.shift) = (content, shift)
    }
  }

  /// The picture of the floor; `nil` for none.
  public var floor: Floor?
  /// The names of the floors of a building, from the lowest; empty for one plane.
  public var floors: [String] = []
  /// The floors of a building, in the order of their names; empty for one plane.
  package var storeys: [Storey] = []
  /// The nodes at known places.
  public var anchors: [Anchor]
  /// The walls.
  public var walls: [Wall]
  /// The rooms and zones.
  public var rooms: [Polygon]
  /// The places of interest.
  public var spots: [Spot]
  /// The area in which positions were searched; `nil` for unlimited.
  public var bounds: Bounds?

  /// Creates a site.
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
