package import Geometry
package import Proximity

/// What is known of the place where a recording was made; lengths in metres, in one plane.
///
/// Walls are vertical and reach from floor to ceiling: a path is judged by x and y alone.
package struct Site: Hashable, Sendable {
  package var walls: [Wall] = []
  package var anchors: [Anchor] = []
  package var rooms: [Room] = []
  package var spots: [Spot] = []
  /// Beacons that are watched together.
  package var regions: [Region] = []
  /// Floors with a picture; one for now.
  package var floors: [Floor] = []
  /// Where the site is on Earth; nil where the file does not have it.
  package var reference: EarthReference?

  /// A site of which nothing is known.
  package init() {}

  /// A wall, straight or with corners.
  package struct Wall: Hashable, Sendable {
    /// The kind of a wall whose file states none.
    package static let unstatedKind = "wall"

    /// What it is of: all walls of a kind weaken a signal alike.
    package var kind: String
    /// The ends and, between them, the corners: two points or more.
    package var points: [Point]
    /// The loss of one crossing in dB, where it is known beforehand.
    package var attenuation: Double?

    package init(_ points: [Point], kind: String = Wall.unstatedKind, attenuation: Double? = nil) {
      self.points = points
      self.kind = kind
      self.attenuation = attenuation
    }
  }

  /// A floor with a picture of its plan.
  package struct Floor: Hashable, Sendable {
    /// Where a picture's pixels are.
    package enum Placement: Hashable, Sendable {
      /// Metres a pixel, and the place of the lower left corner; not turned.
      case scale(Double, origin: Point)
      /// Two pixels, from the left and from the top, and their places: they scale and turn it.
      case points(pixels: [Point], places: [Point])
    }

    package var name: String
    /// The file of the picture, PNG or JPEG.
    package var image: String
    package var placement: Placement

    package init(name: String, image: String, placement: Placement) {
      (self.name, self.image, self.placement) = (name, image, placement)
    }
  }

  /// A node with fixed known coordinates.
  package struct Anchor: Hashable, Sendable {
    package enum Role: String, Hashable, Sendable { case beacon, receiver }

    /// The name the node has in recordings.
    package var node: String
    package var role: Role
    package var place: Point
    /// Height above the floor in metres, where it is known.
    package var height: Double?
    /// RSSI at 1 m in dBm, where it is known.
    package var measuredPower: Double?

    package init(
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
  package struct Spot: Hashable, Sendable {
    package var name: String
    package var place: Point
    /// Height above the floor in metres, where it is known.
    package var height: Double?
    /// What a person should know of it.
    package var note: String?

    package init(name: String, place: Point, height: Double? = nil, note: String? = nil) {
      self.name = name
      self.place = place
      self.height = height
      self.note = note
    }
  }
}
