/// A named part of the plane, such as a room of a site.
public struct Polygon: Hashable, Codable, Sendable {
  public var name: String
  /// The corners in order, either way round; the last is joined to the first.
  public var corners: [Point]

  public init(name: String, corners: [Point]) {
    self.name = name
    self.corners = corners
  }

  /// Whether a place is inside, by the even-odd rule; a place on the outline may fall on either
  /// side.
  ///
  /// Linear in the corners.
  @inlinable public func contains(_ place: Point) -> Bool {
    guard var previous = corners.last else { return false }
    var isInside = false
    for corner in corners {
      if (previous.y > place.y) != (corner.y > place.y) {
        let share = (place.y - previous.y) / (corner.y - previous.y)
        if place.x < previous.x + share * (corner.x - previous.x) { isInside.toggle() }
      }
      previous = corner
    }
    return isInside
  }

  /// In square metres, by the shoelace formula.
  package var area: Double {
    guard var previous = corners.last else { return 0 }
    var twice = 0.0
    for corner in corners {
      twice += previous.x * corner.y - corner.x * previous.y
      previous = corner
    }
    return abs(twice) / 2
  }
}
