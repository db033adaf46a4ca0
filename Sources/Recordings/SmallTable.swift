/// A table that must be right in every line: a description of a site or of truth.
struct SmallTable: ~Copyable {
  let header: TableHeader
  private(set) var row = TableRow()
  private var lines: Lines
  private let path: String
  private var rows = 0

  init(_ path: String, required: [String], optional: [String]) throws {
    var lines = try Lines(path: path)
    var row = TableRow()
    let split = try lines.next { line -> Bool in
      guard let line else { return false }
      return row.split(line)
    }
    guard let split else { throw RecordingError.empty(path: path) }
    guard split else {
      throw RecordingError.badTable(path: path, problem: "the header's quotes do not match")
    }
    header = try TableHeader(row, required: required, optional: optional, path: path)
    self.path = path
    self.lines = lines
  }

  /// Moves to the next row that is not blank; false after the last.
  mutating func next() throws -> Bool {
    while true {
      var row = self.row
      let state = try lines.next { line -> (isWhole: Bool, isBlank: Bool) in
        guard let line else { return (false, false) }
        return (row.split(line), line.isEmpty)
      }
      self.row = row
      guard let state else {
        guard rows > 0 else {
          throw RecordingError.badTable(path: path, problem: "it has a header but no rows")
        }
        return false
      }
      if state.isBlank { continue }
      rows += 1
      guard state.isWhole, self.row.count == header.width else {
        throw problem("it has \(self.row.count) fields, the header \(header.width)")
      }
      return true
    }
  }

  func text(_ column: String) -> String { row.text(header[column]) }

  /// The number of a column; NaN where it is empty or the table has no such column.
  func number(_ column: String) throws(RecordingError) -> Double {
    if row.isEmpty(header[column]) { return .nan }
    guard let value = row.double(header[column]) else {
      throw problem("\(column) \"\(text(column))\" is not a number")
    }
    return value
  }

  /// An error about the current line.
  func problem(_ words: String) -> RecordingError {
    .badTable(path: path, problem: "line \(lines.number): \(words)")
  }
}
