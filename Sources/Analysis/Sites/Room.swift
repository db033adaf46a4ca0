public import Geometry
public import Support

extension Site {
  /// A room or zone: an outline with a name.
  public struct Room: Hashable, Sendable {
    /// The name of the room.
    public var name: String
    /// The corners in order, either way round; the last is joined to the first.
    public var polygon: [Point]

    /// Creates a room with an outline in metres.
    public init(name: String, polygon: [Point]) {
      self.name = name
      self.polygon = polygon
    }

    /// Returns whether a place is in the room; a place on the outline is.
    ///
    /// Judged exactly in whole micrometres. Where an outline crosses itself the even-odd rule
    /// states what is inside: as many crossings as an odd number on the way out.
    ///
    /// - Throws: `RSSIError.badPosition` for a place, or a corner, that is not finite or too far
    ///   away.
    public func contains(_ place: Point) throws(RSSIError) -> Bool {
      let place = try Micrometres(place)
      guard let last = polygon.last else { return false }
      var previous = try Micrometres(last)
      var isInside = false
      for corner in polygon {
        let corner = try Micrometres(corner)
        let side = (corner - previous).cross(place - previous)
        if side == 0 && place.isInBox(previous, corner) { return true }
        // A ray towards greater x; an edge has its lower end and not its upper one.
        if (previous.y > place.y) != (corner.y > place.y) {
          if (side > 0) == (corner.y > previous.y) { isInside.toggle() }
        }
        previous = corner
      }
      return isInside
    }
  }
}
