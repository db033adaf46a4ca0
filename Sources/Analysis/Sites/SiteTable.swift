import Geometry
import Support

/// A table of a site file, with typed access to its values.
struct SiteTable {
  static let maximumTextLength = 128

  private let table: TOMLValue
  private let array: String
  private let index: Int
  private let outline: SiteOutline
  private let path: String

  /// - Parameters:
  ///   - array: The key of the array of tables.
  ///   - index: The index of the table in it, from 0.
  ///   - keys: The allowed keys; any other is an error.
  init(
    _ table: TOMLValue, of array: String, at index: Int, keys: [String], outline: SiteOutline,
    path: String
  ) throws(RSSIError) {
    self.table = table
    self.array = array
    self.index = index
    self.outline = outline
    self.path = path
    for key in table.keys where !keys.contains(key) {
      let known = keys.joined(separator: ", ")
      throw problem(key, "unknown key \"\(key.prefix(40))\"; known keys are \(known)")
    }
  }

  /// Returns an error about the table, at the line of one of its keys if it exists.
  func problem(_ key: String, _ words: String) -> RSSIError {
    .badSite(
      path: path, line: outline.line(of: key, in: array, index),
      problem: "[[\(array)]] number \(index + 1): \(words)")
  }

  func has(_ key: String) -> Bool { table[key] != nil }

  /// Returns the value of a key, or `nil` if it is absent.
  subscript(key: String) -> TOMLValue? { table[key] }

  /// Returns true or false, or `nil` if the key is absent.
  func optionalFlag(_ key: String) throws(RSSIError) -> Bool? {
    guard let value = table[key] else { return nil }
    guard let flag = value.flag else { throw problem(key, "\(key) must be true or false") }
    return flag
  }

  /// Returns a number in a range, or `nil` if the key is absent.
  func optionalNumber(
    _ key: String, in range: ClosedRange<Double>
  ) throws(RSSIError) -> Double? {
    guard let value = table[key] else { return nil }
    return try number(value, key, in: range)
  }

  private func number(
    _ value: TOMLValue, _ key: String, in range: ClosedRange<Double>
  ) throws(RSSIError) -> Double {
    guard let number = value.number, range.contains(number) else {
      throw problem(
        key,
        "\(key) must be a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

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

  /// Returns a non-empty text, or `nil` if the key is absent.
  func optionalText(_ key: String) throws(RSSIError) -> String? {
    guard let value = table[key] else { return nil }
    guard let text = value.text, !text.isEmpty, text.utf8.count <= Self.maximumTextLength else {
      throw problem(
        key,
        "\(key) must be a text in quotes of 1 to \(Self.maximumTextLength) bytes")
    }
    return text
  }

  func text(_ key: String) throws(RSSIError) -> String {
    guard let text = try optionalText(key) else { throw problem(key, "\(key) is missing") }
    return text
  }

  /// Returns a list of texts, or `nil` if the key is absent.
  func optionalTexts(_ key: String) throws(RSSIError) -> [String]? {
    guard let value = table[key] else { return nil }
    guard let array = value.array, array.count <= Self.maximumTextLength else {
      throw problem(key, "\(key) must be a list of texts in quotes")
    }
    var texts: [String] = []
    for element in array {
      guard let text = element.text else {
        throw problem(key, "\(key) must be a list of texts in quotes")
      }
      texts.append(text)
    }
    return texts
  }

  /// Returns a point `[x, y]` in metres, or `nil` if the key is absent.
  func optionalPoint(_ key: String) throws(RSSIError) -> Point? {
    guard let value = table[key] else { return nil }
    return try point(value, key)
  }

  /// Returns points `[[x, y], …]` in metres without adjacent duplicates, or `nil` if the key is
  /// absent.
  func optionalPoints(_ key: String) throws(RSSIError) -> [Point]? {
    guard let value = table[key] else { return nil }
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
