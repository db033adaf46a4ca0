internal import Sightings
package import Support

/// A table that must be correct in every line: a description of a site or of ground truth.
package struct SmallTable: ~Copyable {
  package let header: TableHeader
  private(set) var row: TableRow
  /// The number of the row's first line, from 1.
  package var line: Int { lines.number }
  private var lines: TableLines
  private let path: String
  private var rows = 0

  /// Opens a table and reads its header.
  ///
  /// - Parameters:
  ///   - map: the columns, as a user named them; others are then passed over.
  ///   - kind: the kind of the table.
  ///   - note: receives a sentence about what was inferred.
  ///   - columns: returns the columns to read, given the names in the header.
  package init(
    _ path: String, _ map: ColumnMap = ColumnMap(), kind: ColumnMap.Kind = .sightings,
    note: (String) -> Void = { _ in }, columns: ([String]) -> TableHeader.Columns
  ) throws {
    let sample = try TableSample(path: path)
    var columns = columns(sample.header ?? [])
    columns.isStrict = map.entries.isEmpty
    columns.kind = kind
    let header = try TableHeader(sample, columns, map, path: path)
    for sentence in header.sentences { note("\(path): \(sentence)") }
    let lines = try TableLines(header.layout.files)
    self.header = header
    self.path = path
    self.lines = lines
    row = TableRow(header.layout)
  }

  /// Moves to the next row that is not blank; returns `false` after the last.
  package mutating func next() throws -> Bool {
    while true {
      guard let outcome = try lines.next(into: &row) else {
        guard rows > 0 else {
          throw RSSIError.badTable(path: path, problem: "it has a header but no rows")
        }
        return false
      }
      if outcome == .blank { continue }
      rows += 1
      switch outcome {
      case .lineTooLong: throw problem("longer than \(Lines.maximumLength) bytes")
      case .badQuotes: throw problem("quotes do not match")
      default: break
      }
      guard self.row.count == header.width else {
        throw problem("expected \(header.width) fields, found \(self.row.count)")
      }
      return true
    }
  }

  package func text(_ column: String) -> String { row.text(header[column]) }

  /// Returns the name in a column.
  ///
  /// - Parameter what: The kind of the name, for messages.
  package func name(_ column: String, of what: String) throws(RSSIError) -> String {
    try requireName(column, of: what)
    return text(column)
  }

  /// Throws if the name of a row in a column is empty or cannot be stored.
  func requireName(_ column: String, of what: String) throws(RSSIError) {
    if row.isEmpty(header[column]) { throw problem("the \(what) has no name") }
    guard row.admits(header[column], .name) else {
      throw problem(
        "the \(what) \"\(text(column).prefix(40))\" has an invalid name (allowed: \(TextLimit.name.rule))"
      )
    }
  }

  /// Returns the name of the floor of a row, or an empty text if it is unknown.
  func floor() throws(RSSIError) -> String {
    if row.isMissing(header["floor"]) { return "" }
    guard row.admits(header["floor"], .floor) else {
      throw problem(
        "the floor \"\(text("floor").prefix(40))\" has an invalid name "
          + "(allowed: \(TextLimit.floor.rule))")
    }
    return text("floor")
  }

  /// Returns the number in a column, or NaN if it is empty or the table has no such column.
  func number(_ column: String) throws(RSSIError) -> Double {
    if row.isEmpty(header[column]) { return .nan }
    guard let value = row.double(header[column]) else {
      throw problem("\(column) \"\(text(column))\" is not a number")
    }
    return value
  }

  /// Returns the time in a column, in nanoseconds since the Unix epoch.
  package func time(_ column: String) throws(RSSIError) -> Int64 {
    guard let time = row.nanoseconds(header[column]) else {
      throw problem("\(column) \"\(text(column))\" is not in Unix seconds")
    }
    return time
  }

  /// Returns the coordinate in a column, in metres, or NaN if it is empty or the table has no such
  /// column.
  func coordinate(_ column: String) throws(RSSIError) -> Double {
    let value = try number(column)
    guard value.isNaN || Node.coordinates.contains(value) else {
      throw problem(
        "\(column) \(text(column)) exceeds the size of any site in metres: check the unit")
    }
    return value
  }

  /// Returns an error about the current line.
  package func problem(_ words: String) -> RSSIError {
    .badTable(path: path, problem: "line \(lines.number): \(words)")
  }
}
