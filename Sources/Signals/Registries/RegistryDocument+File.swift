internal import Glibc
internal import Recordings
import Support

extension RegistryDocument {
  /// Reads a file, JSON or a CSV table, distinguished by its first character; `-` is standard input.
  ///
  /// - Throws: `RSSIError`, or `RSSIError` for a file that cannot be read or a table that
  ///   is none.
  package init(path: String) throws {
    if path != "-", try !Self.isJSON(path) {
      try self.init(csv: path)
    } else {
      try self.init(json: Self.bytes(of: path), name: path == "-" ? "the standard input" : path)
    }
  }

  /// Reads a table: columns are named as in JSON, those that are not known become notes.
  init(csv path: String) throws {
    self.init()
    var names: [String] = []
    var table = try SmallTable(path) { row in
      names = (0..<row.count).map { row.text($0) }
      return ([], names)
    }
    while try table.next() {
      guard places.count + refused.count < RegistryLimits.beacons else {
        throw table.problem(
          "more than \(RegistryLimits.beacons) beacons are too many for a registry")
      }
      var fields = EntryFields()
      for name in names { fields.add(name, table.text(name)) }
      take(fields, at: "line \(table.line)")
    }
  }

  /// Whether a file begins as a JSON list or object does.
  private static func isJSON(_ path: String) throws -> Bool {
    let start = try bytes(of: path, atMost: 512)
    let text = start.starts(with: [0xEF, 0xBB, 0xBF]) ? start[3...] : start[...]
    let first = text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }

  /// The bytes of a file, one more than is allowed where it is too long.
  private static func bytes(
    of path: String, atMost limit: Int = RegistryLimits.bytes + 1
  ) throws -> [UInt8] {
    let bytes = try contents(ofFile: path, atMost: limit)
    guard !bytes.isEmpty else { throw RSSIError.empty(path: path) }
    return bytes
  }
}
