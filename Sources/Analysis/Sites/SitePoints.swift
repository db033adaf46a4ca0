import Geometry
import Support

/// Coordinates and outlines in metres.
extension TOMLTable {
  /// Returns a coordinate in metres, or `nil` if the key is absent.
  func optionalCoordinate(_ key: String) throws(RSSIError) -> Double? {
    try optionalNumber(key, in: -Micrometres.limit...Micrometres.limit)
  }

  /// Returns the place in `x_m` and `y_m`.
  func place() throws(RSSIError) -> Point {
    guard let x = try optionalCoordinate("x_m"), let y = try optionalCoordinate("y_m") else {
      throw problem(has("x_m") ? "x_m" : "y_m", "x_m and y_m are both required, in metres")
    }
    return Point(x: x, y: y)
  }

  /// Returns a point `[x, y]` in metres, or `nil` if the key is absent.
  func optionalPoint(_ key: String) throws(RSSIError) -> Point? {
    guard let value = self[key] else { return nil }
    return try point(value, key)
  }

  /// Returns points `[[x, y], …]` in metres without adjacent duplicates, or `nil` if the key is
  /// absent.
  func optionalPoints(_ key: String) throws(RSSIError) -> [Point]? {
    guard let value = self[key] else { return nil }
    guard let array = value.array else {
      throw problem(key, "\(key) must be points [[x, y], [x, y]] in metres")
    }
    var points: [Point] = []
    for element in array { points.append(try point(element, key)) }
    return points
  }

  func point(
    _ value: TOMLValue, _ key: String
  ) throws(RSSIError) -> Point {
    guard let pair = value.array, pair.count == 2 else {
      throw problem(key, "\(key) must be a point [x, y] in metres")
    }
    let range = -Micrometres.limit...Micrometres.limit
    return Point(x: try number(pair[0], key, in: range), y: try number(pair[1], key, in: range))
  }

  /// Returns the corners of an outline, or `nil` if the key is absent.
  func optionalPolygon(_ key: String) throws(RSSIError) -> [Point]? {
    guard var polygon = try optionalPoints(key) else { return nil }
    // Some programs close an outline with its first corner; the last is connected to it anyway.
    if polygon.count > 1, polygon.first == polygon.last { polygon.removeLast() }
    guard polygon.count >= 3 else {
      throw problem(key, "\(key) must have at least three corners")
    }
    try requireSteps(polygon, key)
    return polygon
  }

  /// Rejects adjacent equal points, between which nothing can be drawn.
  func requireSteps(_ points: [Point], _ key: String) throws(RSSIError) {
    for (a, b) in zip(points, points.dropFirst()) {
      guard try Micrometres(a) == Micrometres(b) else { continue }
      throw problem(key, "\(key) has the point [\(a.x), \(a.y)] twice in a row; remove one")
    }
  }
}
