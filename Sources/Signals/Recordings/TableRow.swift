import Support

/// One row of a CSV table, cut into fields (RFC 4180).
package struct TableRow {
  /// The fields one after the other; as long as the longest row so far.
  private(set) var bytes: [UInt8] = []
  private var fields: [Range<Int>] = []

  /// Number of fields.
  package var count: Int { fields.count }

  /// Cuts a row; false where its quotes do not match. Reuses memory from row to row.
  ///
  /// The apostrophe that guards a text against being a formula is not part of its field.
  mutating func split(_ line: Span<UInt8>) -> Bool { Self.split(line, &bytes, &fields) }

  private static func split(
    _ line: Span<UInt8>, _ bytes: inout [UInt8], _ fields: inout [Range<Int>]
  ) -> Bool {
    fields.removeAll(keepingCapacity: true)
    if bytes.count < line.count { bytes = [UInt8](repeating: 0, count: line.count) }
    var field = bytes.mutableSpan
    var start = 0
    var end = 0
    var i = 0
    while true {
      if i < line.count, line[i] == UInt8(ascii: "\"") {
        i += 1
        while true {
          guard i < line.count else { return false }
          if line[i] == UInt8(ascii: "\"") {
            i += 1
            guard i < line.count, line[i] == UInt8(ascii: "\"") else { break }
          }
          field[end] = line[i]
          end += 1
          i += 1
        }
        guard i == line.count || line[i] == UInt8(ascii: ",") else { return false }
      } else {
        while i < line.count, line[i] != UInt8(ascii: ",") {
          field[end] = line[i]
          end += 1
          i += 1
        }
      }
      let isGuarded = CSV.isGuarded(field.span.extracting(start..<end))
      fields.append((isGuarded ? start + 1 : start)..<end)
      start = end
      if i >= line.count { return true }
      i += 1
    }
  }

  /// Where a field is in `bytes`; nowhere for a field that the row does not have.
  func range(_ index: Int?) -> Range<Int> {
    guard let index, index < fields.count else { return 0..<0 }
    return fields[index]
  }

  package func text(_ index: Int?) -> String {
    String(decoding: bytes[range(index)], as: UTF8.self)
  }

  func isEmpty(_ index: Int?) -> Bool { range(index).isEmpty }

  /// Whether a field is a name that can be kept; one that is not there is.
  func isName(_ index: Int?) -> Bool { Name.isValid(bytes.span.extracting(range(index))) }

  func double(_ index: Int?) -> Double? {
    DecimalNumber.double(bytes.span.extracting(range(index)))
  }

  func nanoseconds(_ index: Int?) -> Int64? {
    DecimalNumber.nanoseconds(bytes.span.extracting(range(index)))
  }
}

extension Lines {
  /// Cuts the first line of a table.
  ///
  /// - Parameter path: the file, for messages.
  mutating func header(_ path: String) throws -> TableRow {
    var row = TableRow()
    let problem = try next { line -> String? in
      guard let line else { return "its first line is longer than \(Self.maximumLength) bytes" }
      return row.split(line) ? nil : "the quotes in its first line do not match"
    }
    guard let problem else { throw RSSIError.empty(path: path) }
    if let problem { throw RSSIError.badTable(path: path, problem: problem) }
    return row
  }
}
