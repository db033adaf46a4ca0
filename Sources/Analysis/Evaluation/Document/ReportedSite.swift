package import Geometry

/// What a floor plan shows besides the answers; lengths in metres.
package struct ReportedSite: Equatable, Codable, Sendable {
  /// A node at a known place.
  package struct Anchor: Equatable, Codable, Sendable {
    /// The name that people read.
    package var name: String
    package var place: Point
    /// Metres above the site's zero of heights; nil where it is not known.
    package var height: Double?

    package init(name: String, place: Point, height: Double? = nil) {
      self.name = name
      self.place = place
      self.height = height
    }
  }

  /// A wall, straight or with corners.
  package struct Wall: Equatable, Codable, Sendable {
    /// What it is of.
    package var kind: String
    package var points: [Point]

    package init(kind: String = "wall", points: [Point]) {
      self.kind = kind
      self.points = points
    }
  }

  /// A place of interest.
  package struct Spot: Equatable, Codable, Sendable {
    package var name: String
    package var place: Point

    package init(name: String, place: Point) {
      self.name = name
      self.place = place
    }
  }

  /// A picture of the floor.
  package struct Floor: Equatable, Codable, Sendable {
    /// A coordinate of the pixel (u, v), from the left and from the top: origin + u × u + v × v.
    package struct Coordinate: Equatable, Codable, Sendable {
      package var origin: Double
      package var u: Double
      package var v: Double

      package init(origin: Double, u: Double, v: Double) {
        (self.origin, self.u, self.v) = (origin, u, v)
      }

      func callAsFunction(_ u: Int, _ v: Int) -> Double {
        origin + self.u * Double(u) + self.v * Double(v)
      }
    }

    package var name: String
    /// The picture's bytes as a `data:` address.
    package var uri: String
    /// Pixels.
    package var width: Int
    package var height: Int
    package var x: Coordinate
    package var y: Coordinate

    package init(
      name: String, uri: String, width: Int, height: Int, x: Coordinate, y: Coordinate
    ) {
      (self.name, self.uri, self.width, self.height) = (name, uri, width, height)
      (self.x, self.y) = (x, y)
    }

    package var corners: [Point] {
      [(0, 0), (width, 0), (width, height), (0, height)].map { Point(x: x($0, $1), y: y($0, $1)) }
    }
  }

  /// A picture of it; nil = none.
  package var floor: Floor?
  package var anchors: [Anchor]
  package var walls: [Wall]
  package var rooms: [Polygon]
  package var spots: [Spot]
  /// Where positions were looked for; nil = not limited.
  package var bounds: Bounds?

  package init(
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
