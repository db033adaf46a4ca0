/// One line of a CSV table, cut into fields (RFC 4180, but for line breaks within quotes).
struct TableRow {
  private(set) var bytes: [UInt8] = []
  private var fields: [Range<Int>] = []

  /// Number of fields.
  var count: Int { fields.count }

  /// Cuts a line; false where its quotes do not match. Reuses memory from line to line.
  mutating func split(_ line: Span<UInt8>) -> Bool {
    bytes.removeAll(keepingCapacity: true)
    fields.removeAll(keepingCapacity: true)
    var start = 0
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
          bytes.append(line[i])
          i += 1
        }
        guard i == line.count || line[i] == UInt8(ascii: ",") else { return false }
      } else {
        while i < line.count, line[i] != UInt8(ascii: ",") {
          bytes.append(line[i])
          i += 1
        }
      }
      fields.append(start..<bytes.count)
      start = bytes.count
      if i >= line.count { return true }
      i += 1
    }
  }

  /// Where a field is in `bytes`; nowhere for a field that the row does not have.
  func range(_ index: Int?) -> Range<Int> {
    guard let index, index < fields.count else { return 0..<0 }
    return fields[index]
  }

  func text(_ index: Int?) -> String { String(decoding: bytes[range(index)], as: UTF8.self) }

  func isEmpty(_ index: Int?) -> Bool { range(index).isEmpty }

  func double(_ index: Int?) -> Double? {
    DecimalNumber.double(bytes.span.extracting(range(index)))
  }

  func nanoseconds(_ index: Int?) -> Int64? {
    DecimalNumber.nanoseconds(bytes.span.extracting(range(index)))
  }
}
