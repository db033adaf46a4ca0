/// Formatting of texts and numbers as CSV fields.
package enum CSV {
  /// Returns a text, quoted as RFC 4180 requires, and guarded against being a formula.
  ///
  /// Spreadsheets evaluate fields that start with `=`, `+`, `-`, `@`, a tab or a line end; an
  /// apostrophe before them prevents it (OWASP, "CSV Injection"). Fields that start with
  /// apostrophes followed by one of these get one more, so that removing one restores the text.
  /// Numbers are not guarded.
  package static func text(_ text: String) -> String {
    let isFormula =
      !isNumber(text)
      && text.utf8.first { $0 != UInt8(ascii: "'") }.map(formulaStarts.contains) ?? false
    let safe = isFormula ? "'" + text : text
    guard safe.unicodeScalars.contains(where: { ",\"\r\n".unicodeScalars.contains($0) }) else {
      return safe
    }
    return "\""
      + safe.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
      + "\""
  }

  /// Returns a number with a given number of decimals; empty for `nil` and values that are not
  /// finite.
  package static func number(_ value: Double?, _ places: Int) -> String {
    guard let value, value.isFinite else { return "" }
    return decimal(value, places)
  }

  /// Returns a Boolean value that is true if a field starts with the apostrophe that `text(_:)`
  /// puts before a formula.
  package static func isGuarded(_ field: Span<UInt8>) -> Bool {
    guard !field.isEmpty, field[0] == UInt8(ascii: "'") else { return false }
    for index in field.indices where field[index] != UInt8(ascii: "'") {
      return formulaStarts.contains(field[index])
    }
    return false
  }

  private static func isNumber(_ text: String) -> Bool {
    text.utf8.allSatisfy { "+-.0123456789eE".utf8.contains($0) } && Double(text) != nil
  }

  private static let formulaStarts = Array("=+-@\t\r\n".utf8)
}

/// The columns of a CSV table, each declared once by its name and the function for its field.
///
/// ```swift
/// let columns: CSVColumns<Node> = ["id": { CSV.text($0.id) }, "x_m": { CSV.number($0.x, 4) }]
/// ```
package struct CSVColumns<Row>: ExpressibleByDictionaryLiteral, Sendable {
  /// Returns the field of a row as written to the file: quoted, empty for no value.
  package typealias Field = @Sendable (Row) -> String

  private var columns: [(name: String, field: Field)]

  package init(_ columns: [(name: String, field: Field)]) { self.columns = columns }

  package init(dictionaryLiteral columns: (String, Field)...) { self.init(columns) }

  package static func + (first: CSVColumns, second: CSVColumns) -> CSVColumns {
    CSVColumns(first.columns + second.columns)
  }

  /// The names of the columns, without the end of the line.
  package var names: String { columns.map(\.name).joined(separator: ",") }

  /// Returns the fields of a row, without the end of the line.
  package func fields(_ row: Row) -> String {
    var text = ""
    for (number, column) in columns.enumerated() {
      if number > 0 { text += "," }
      text += column.field(row)
    }
    return text
  }
}
