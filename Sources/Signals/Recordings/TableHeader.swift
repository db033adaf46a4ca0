import Support

/// The first line of a table: which column is where.
package struct TableHeader {
  private var places: [String: Int] = [:]
  let width: Int

  /// - Parameters:
  ///   - row: the first line.
  ///   - required: columns that there must be.
  ///   - optional: columns that there may be.
  ///   - path: the file, for messages.
  /// - Throws: one error that names every missing, unknown and repeated column.
  init(_ row: TableRow, required: [String], optional: [String], path: String) throws(RSSIError) {
    let expected = required + optional
    var problems: [String] = []
    for index in 0..<row.count {
      let name = row.text(index)
      if places.updateValue(index, forKey: name) != nil {
        problems.append("column \"\(name)\" is there twice")
      } else if !expected.contains(name) {
        problems.append("unknown column \"\(name)\"" + Self.hint(name, expected))
      }
    }
    for name in required where places[name] == nil {
      problems.append("column \"\(name)\" is missing")
    }
    guard problems.isEmpty else {
      let also = optional.isEmpty ? "" : ", and may have \(optional.joined(separator: ", "))"
      throw .badTable(
        path: path,
        problem: problems.joined(separator: "; ")
          + "; a table of this kind has \(required.joined(separator: ", "))\(also)")
    }
    width = row.count
  }

  subscript(name: String) -> Int? { places[name] }

  /// Says so where only the unit differs from an expected column.
  private static func hint(_ name: String, _ expected: [String]) -> String {
    func stem(_ name: String) -> Substring { name.prefix { $0 != "_" } }
    guard
      let match = expected.first(where: { $0 != name && $0.contains("_") && stem($0) == stem(name) }
      )
    else { return "" }
    return " (did you mean \"\(match)\"? the unit is part of the name)"
  }
}
