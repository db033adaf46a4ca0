import Geometry
import Support

extension Site {
  /// A test of whether a place is in a room of the site, or on a wall of one.
  ///
  /// - Parameter path: the file of the site, for the error.
  /// - Throws: `RSSIError` of kind `badInput` for a site without rooms.
  package func roomTest(of path: String) throws -> (_ x: Double, _ y: Double) throws -> Bool {
    guard !rooms.isEmpty else {
      throw RSSIError(.badInput, "\(path) has no rooms: nothing says where beacons should be")
    }
    return { [rooms] x, y in
      let place = Point(x: x, y: y)
      return try rooms.contains { room in
        try room.contains(place) || distance(from: place, toOutline: room.polygon) <= wallAllowance
      }
    }
  }
}

/// Metres: beacons hang on walls, and outlines are drawn along either side of one.
private let wallAllowance = 0.3

private func distance(from place: Point, toOutline corners: [Point]) -> Double {
  zip(corners, corners.dropFirst() + corners.prefix(1)).map { start, end in
    let along = (x: end.x - start.x, y: end.y - start.y)
    let length = along.x * along.x + along.y * along.y
    let share = ((place.x - start.x) * along.x + (place.y - start.y) * along.y) / length
    let t = length > 0 ? min(1, max(0, share)) : 0
    let (dx, dy) = (place.x - start.x - t * along.x, place.y - start.y - t * along.y)
    return (dx * dx + dy * dy).squareRoot()
  }.min() ?? .infinity
}
