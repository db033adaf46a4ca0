import Geometry
import Support

/// One table of a site file, whose values are taken by key and type.
struct SiteTable {
  static let maximumTextLength = 128

  private let table: TOMLValue
  private let array: String
  private let index: Int
  private let outline: SiteOutline
  private let path: String

  /// - Parameters:
  ///   - array: the key of the array of tables.
  ///   - index: the table's place in it, from 0.
  ///   - keys: all that it may have; any other is an error.
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
      throw problem(key, "it has the unknown key \"\(key.prefix(40))\"; known are \(known)")
    }
  }

  /// An error about the table, at the line of one of its keys where there is one.
  func problem(_ key: String, _ words: String) -> RSSIError {
    .badSite(
      path: path, line: outline.line(of: key, in: array, index),
      problem: "in [[\(array)]] number \(index + 1), \(words)")
  }

  func has(_ key: String) -> Bool { table[key] != nil }

  /// A number of a range; nil where there is none.
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
        "\(key) holds something that is no number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// A coordinate in metres; nil where there is none.
  func optionalCoordinate(_ key: String) throws(RSSIError) -> Double? {
    try optionalNumber(key, in: -Micrometres.limit...Micrometres.limit)
  }

  /// The place that `x_m` and `y_m` state.
  func place() throws(RSSIError) -> Point {
    guard let x = try optionalCoordinate("x_m"), let y = try optionalCoordinate("y_m") else {
      throw problem(has("x_m") ? "x_m" : "y_m", "x_m and y_m must both be given, in metres")
    }
    return Point(x: x, y: y)
  }

  /// A text that is not empty; nil where there is none.
  func optionalText(_ key: String) throws(RSSIError) -> String? {
    guard let value = table[key] else { return nil }
    guard let text = value.text, !text.isEmpty, text.utf8.count <= Self.maximumTextLength else {
      throw problem(
        key,
        "\(key) must be a text in quotes, not empty, of \(Self.maximumTextLength) bytes at most")
    }
    return text
  }

  func text(_ key: String) throws(RSSIError) -> String {
    guard let text = try optionalText(key) else { throw problem(key, "\(key) is missing") }
    return text
  }

  /// Texts as a list; nil where there is none.
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

  /// A point as `[x, y]` in metres; nil where there is none.
  func optionalPoint(_ key: String) throws(RSSIError) -> Point? {
    guard let value = table[key] else { return nil }
    return try point(value, key)
  }

  /// Points as `[[x, y], …]` in metres, no two in a row at one place; nil where there are none.
  func optionalPoints(_ key: String) throws(RSSIError) -> [Point]? {
    guard let value = table[key] else { return nil }
    guard let array = value.array else {
      throw problem(key, "\(key) must be points as [[x, y], [x, y]] in metres")
    }
    var points: [Point] = []
    for element in array { points.append(try point(element, key)) }
    return points
  }

  private func point(
    _ value: TOMLValue, _ key: String
  ) throws(RSSIError) -> Point {
    guard let pair = value.array, pair.count == 2 else {
      throw problem(key, "\(key) holds something that is no point [x, y] in metres")
    }
    let range = -Micrometres.limit...Micrometres.limit
    return Point(x: try number(pair[0], key, in: range), y: try number(pair[1], key, in: range))
  }

  /// Refuses two points in a row that are one place, between which nothing is drawn.
  func requireSteps(_ points: [Point], _ key: String) throws(RSSIError) {
    for (a, b) in zip(points, points.dropFirst()) {
      guard try Micrometres(a) == Micrometres(b) else { continue }
      throw problem(key, "\(key) has the point [\(a.x), \(a.y)] twice in a row; leave one out")
    }
  }
}
