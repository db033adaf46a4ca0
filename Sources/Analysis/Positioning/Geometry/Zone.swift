/// A named part of the plane: a room of a site.
public struct Zone: Hashable, Sendable {
  public var name: String
  /// The corners in order, either way round; the last is joined to the first.
  public var polygon: [Point]

  public init(name: String, polygon: [Point]) {
    self.name = name
    self.polygon = polygon
  }

  /// Whether a place is inside, by the even-odd rule; a place on the outline may fall on either
  /// side.
  ///
  /// Linear in the corners.
  public func contains(_ place: Point) -> Bool {
    guard var previous = polygon.last else { return false }
    var isInside = false
    for corner in polygon {
      if (previous.y > place.y) != (corner.y > place.y) {
        let share = (place.y - previous.y) / (corner.y - previous.y)
        if place.x < previous.x + share * (corner.x - previous.x) { isInside.toggle() }
      }
      previous = corner
    }
    return isInside
  }
}
