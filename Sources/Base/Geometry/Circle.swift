/// A circle in the plane, such as the places at one range from an anchor; lengths in metres.
package struct Circle: Equatable, Sendable {
  package var centre: Point
  package var radius: Double

  @inlinable package init(centre: Point, radius: Double) {
    self.centre = centre
    self.radius = radius
  }

  /// The longest plausible length, in metres; longer ones come from a wrong constant, and their
  /// squares would lose the digits of all others.
  package static let longest = 1e9

  /// A Boolean value that is true if it is a circle: no NaN, and not the negative radius that
  /// stands for "unknown".
  package var isValid: Bool {
    abs(centre.x) <= Self.longest && abs(centre.y) <= Self.longest
      && radius >= 0 && radius <= Self.longest
  }

  /// Returns a Boolean value that is true if a point is in the disc, or outside by at most a
  /// tolerance in metres.
  package func contains(_ point: Point, tolerance: Double) -> Bool {
    centre.distance(to: point) <= radius + tolerance
  }

  /// Returns the two intersections of two circles, equal if they touch, or `nil` if they do not
  /// intersect.
  package func intersections(with other: Circle) -> (Point, Point)? {
    let d = centre.distance(to: other.centre)
    guard d > 0, d <= radius + other.radius, d >= abs(radius - other.radius) else { return nil }
    let ux = (other.centre.x - centre.x) / d
    let uy = (other.centre.y - centre.y) / d
    let along = (radius * radius - other.radius * other.radius + d * d) / (2 * d)
    // Rounding makes the square slightly negative for touching circles.
    let across = max(0, radius * radius - along * along).squareRoot()
    let foot = Point(x: centre.x + along * ux, y: centre.y + along * uy)
    return (
      Point(x: foot.x - across * uy, y: foot.y + across * ux),
      Point(x: foot.x + across * uy, y: foot.y - across * ux)
    )
  }

  /// Returns the place on the line of centres midway between two disjoint circles, or `nil` if the
  /// centres coincide.
  package func between(_ other: Circle) -> Point? {
    let d = centre.distance(to: other.centre)
    guard d > 0 else { return nil }
    // Signed distances along the line from this centre: apart, or one inside the other.
    let near = d < other.radius - radius ? -radius : radius
    let far = d < radius - other.radius ? d + other.radius : d - other.radius
    let along = (near + far) / (2 * d)
    return Point(
      x: centre.x + along * (other.centre.x - centre.x),
      y: centre.y + along * (other.centre.y - centre.y))
  }
}
