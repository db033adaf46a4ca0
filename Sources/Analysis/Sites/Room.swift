public import Geometry
public import Support

extension Site {
  /// A room or zone: an outline with a name.
  public struct Room: Hashable, Sendable {
    /// The name of the room.
    public var name: String
    /// The corners in order, in either direction; the last is connected to the first.
    public var polygon: [Point]
    /// A Boolean value that is true if people can be in it, unlike in a shaft or a void.
    public var isWalkable: Bool
    /// The name of the floor; nil on a site of at most one.
    public var floor: String?

    /// Creates a room with an outline in metres.
    public init(name: String, polygon: [Point], isWalkable: Bool = true, floor: String? = nil) {
      self.name = name
      self.polygon = polygon
      self.isWalkable = isWalkable
      self.floor = floor
    }

    /// Returns a Boolean value that is true if a place is in the room or on its outline.
    ///
    /// The test is exact in whole micrometres. An outline that crosses itself follows the even-odd
    /// rule: a place is inside if a ray from it crosses the outline an odd number of times.
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
        // A ray towards greater x; an edge includes its lower end and excludes its upper one.
        if (previous.y > place.y) != (corner.y > place.y) {
          if (side > 0) == (corner.y > previous.y) { isInside.toggle() }
        }
        previous = corner
      }
      return isInside
    }

    /// Returns the distance of a place to the outline in metres; 0 in the room.
    func distance(to place: Point) throws(RSSIError) -> Double {
      guard try !contains(place) else { return 0 }
      return edges.map { edge in
        let along = Point(x: edge.to.x - edge.from.x, y: edge.to.y - edge.from.y)
        let start = Point(x: place.x - edge.from.x, y: place.y - edge.from.y)
        let share =
          (start.x * along.x + start.y * along.y) / (along.x * along.x + along.y * along.y)
        // A share of an edge without length is not a number, for which the maximum is 0.
        let t = min(1, max(0, share))
        return start.distance(to: Point(x: t * along.x, y: t * along.y))
      }.min() ?? .infinity
    }

    /// Returns the distance between the outlines of two rooms in metres; 0 if they touch or overlap.
    func distance(to other: Site.Room) throws(RSSIError) -> Double {
      let outline = try WallCrossings([Site.Wall(polygon + polygon.prefix(1))])
      for edge in other.edges where try outline.tally(from: edge.from, to: edge.to).counts != [0] {
        return 0
      }
      var nearest = Double.infinity
      for corner in other.polygon { nearest = min(nearest, try distance(to: corner)) }
      for corner in polygon { nearest = min(nearest, try other.distance(to: corner)) }
      return nearest
    }

    private var edges: [Segment] {
      zip(polygon, polygon.dropFirst() + polygon.prefix(1)).map { Segment(from: $0, to: $1) }
    }
  }
}
