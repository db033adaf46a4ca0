import Support

/// The first line of a table, with the position of each column.
package struct TableHeader {
  private var places: [String: Int] = [:]
  let width: Int

  /// - Parameters:
  ///   - row: The first line.
  ///   - required: The required columns.
  ///   - optional: The optional columns.
  ///   - exported: The columns that `rssi export` adds, which messages do not suggest.
  ///   - path: The file, for messages.
  /// - Throws: One error that names every missing, unknown and duplicate column.
  init(
    _ row: TableRow, required: [String], optional: [String], exported: [String] = [], path: String
  ) throws(RSSIError) {
    let expected = required + optional
    if let cause = Self.otherTable((0..<row.count).map(row.text), required) {
      throw .badTable(path: path, problem: cause)
    }
    var problems: [String] = []
    for index in 0..<row.count {
      let name = row.text(index)
      if places.updateValue(index, forKey: name) != nil {
        problems.append("duplicate column \"\(name)\"")
      } else if !expected.contains(name), !exported.contains(name) {
        let hint = ColumnHint.words(name, among: expected).map { " (\($0))" } ?? ""
        problems.append("unknown column \"\(name)\"" + hint)
      }
    }
    for name in required where places[name] == nil {
      problems.append("column \"\(name)\" is missing")
    }
    guard problems.isEmpty else {
      let also = optional.isEmpty ? "" : ", and optionally \(optional.joined(separator: ", "))"
      throw .badTable(
        path: path,
        problem: problems.joined(separator: "; ")
          + "; a table of this kind has the columns \(required.joined(separator: ", "))\(also)")
    }
    width = row.count
  }

  subscript(name: String) -> Int? { places[name] }

  /// Returns a common cause of all problems of a header: other separators, or a table of another
  /// kind.
  private static func otherTable(_ names: [String], _ required: [String]) -> String? {
    if names.count == 1 {
      for (separator, word) in [(";", "semicolons"), ("\t", "tabs")] as [(Character, String)] {
        guard names[0].contains(separator), !names[0].contains(" ") else { continue }
        return "its columns are separated by \(word): save it with commas, and with decimal points"
      }
    }
    let kinds: [(columns: [String], cause: String)] = [
      (["node", "role"], "this is a table of nodes: use `nodes`"),
      (["node", "time_s", "x_m", "y_m"], "this is a table of true positions: use `truth`"),
      (["time_s", "true_rssi_dbm"], "this is a table of true levels: use `truth`"),
    ]
    return kinds.first {
      Set($0.columns).isSubset(of: names) && !Set($0.columns).isSubset(of: required)
        && !Set(required).isSubset(of: names)
    }?.cause
  }
}
