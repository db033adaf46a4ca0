/// A named part of the plane, such as a room of a site.
public struct Polygon: Hashable, Codable, Sendable {
  /// The name of the polygon.
  public var name: String
  /// The corners in order, in either direction; the last is connected to the first.
  public var corners: [Point]

  /// Creates a polygon with its corners in order.
  public init(name: String, corners: [Point]) {
    self.name = name
    self.corners = corners
  }

  /// Returns a Boolean value that is true if a place is inside, by the even-odd rule; a place on
  /// the outline may count as either.
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

  /// The area in square metres, by the shoelace formula.
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

/// The smallest convex polygon around some places.
package struct ConvexHull {
  /// The corners counterclockwise, without places on an edge between others; one or two if all are
  /// collinear.
  package let corners: [Point]

  /// Computes the hull by the monotone chain (Andrew 1979), in the time of a sort.
  package init(_ places: [Point]) {
    let sorted = Set(places).sorted { ($0.x, $0.y) < ($1.x, $1.y) }
    guard sorted.count > 2 else {
      corners = sorted
      return
    }
    func chain(_ places: some Sequence<Point>) -> [Point] {
      var chain: [Point] = []
      for place in places {
        while let last = chain.last, chain.count > 1,
          Self.turn(chain[chain.count - 2], last, place) <= 0
        {
          chain.removeLast()
        }
        chain.append(place)
      }
      return chain.dropLast()
    }
    corners = chain(sorted) + chain(sorted.reversed())
  }

  /// Returns a Boolean value that is true if a place is inside, and off each edge by more than a
  /// billionth of its length.
  package func hasInside(_ place: Point) -> Bool {
    guard corners.count > 2 else { return false }
    return corners.indices.allSatisfy { index in
      let (a, b) = (corners[index], corners[(index + 1) % corners.count])
      let length = a.distance(to: b)
      return Self.turn(a, b, place) > 1e-9 * length * length
    }
  }

  /// Returns twice the signed area of a triangle: positive for a left turn.
  private static func turn(_ a: Point, _ b: Point, _ c: Point) -> Double {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
  }
}
