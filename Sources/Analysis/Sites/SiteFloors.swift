public import Geometry

extension Site {
  /// A floor of a building. Everything on it is in its own plane, and heights count from it.
  public struct Floor: Hashable, Sendable {
    /// A picture of a floor's plan.
    public struct Image: Hashable, Sendable {
      /// The placement of a picture's pixels in the plane.
      public enum Placement: Hashable, Sendable {
        /// The scale in metres per pixel, and the place of the lower left corner; not rotated.
        case scale(Double, origin: Point)
        /// Two pixels, from the left and from the top, with their places, which scale and rotate
        /// the picture.
        case points(pixels: [Point], places: [Point])
      }

      /// The file of the picture, PNG or JPEG.
      public var path: String
      /// The placement of the picture in the plane.
      public var placement: Placement

      /// Creates a picture in a file.
      public init(path: String, placement: Placement) {
        (self.path, self.placement) = (path, placement)
      }
    }

    /// The name of the floor, as traces have it.
    public var name: String
    /// The number of storeys above the ground floor, if it is known.
    public var level: Int?
    /// The height above the ground in metres, if it is known.
    public var height: Double?
    /// The place of the floor's origin in the frame of the building, in metres, if it is known.
    public var shift: Point?
    /// The corners of the outline in order, in metres; empty if it is unknown.
    public var outline: [Point] = []
    /// The picture of the plan, if any.
    public var image: Image?

    /// Creates a floor.
    public init(name: String, level: Int? = nil, image: Image? = nil) {
      (self.name, self.level, self.image) = (name, level, image)
    }
  }

  /// A way between floors.
  public struct Connection: Hashable, Sendable {
    /// The kind of a connection.
    public enum Kind: String, CaseIterable, Hashable, Sendable {
      /// Stairs between adjacent levels.
      case stairs
      /// A lift, which may pass levels without a stop.
      case lift
      /// An escalator between adjacent levels.
      case escalator
    }

    /// The place of a connection on one floor.
    public struct End: Hashable, Sendable {
      /// The name of the floor.
      public var floor: String
      /// The place in the floor's plane, in metres.
      public var place: Point

      /// Creates an end at a place in metres.
      public init(floor: String, place: Point) { (self.floor, self.place) = (floor, place) }
    }

    /// The kind of the connection.
    public var kind: Kind
    /// The ends on different floors, at least two.
    public var ends: [End]

    /// Creates a connection between floors.
    public init(_ kind: Kind, ends: [End]) { (self.kind, self.ends) = (kind, ends) }
  }
}
