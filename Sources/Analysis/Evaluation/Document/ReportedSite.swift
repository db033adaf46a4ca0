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

  package var anchors: [Anchor]
  package var walls: [Wall]
  package var rooms: [Polygon]
  package var spots: [Spot]
  /// Where positions were looked for; nil = not limited.
  package var bounds: Bounds?

  package init(
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
