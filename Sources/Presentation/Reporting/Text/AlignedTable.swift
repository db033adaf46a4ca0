import Support

/// Lines whose columns stand under each other: the first to the left, the others to the right. Each
/// cell is printable text of one line.
package func aligned(_ rows: [[String]]) -> String {
  let rows = rows.map { $0.map(\.printable) }
  let columns = rows.map(\.count).max() ?? 0
  let widths = (0..<columns).map { column in
    rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
  }
  return rows.map { row in
    row.enumerated().map { column, text in
      let padding = String(repeating: " ", count: widths[column] - text.count)
      return column == 0 ? text + padding : padding + text
    }.joined(separator: "  ").trimmingTrailingSpaces + "\n"
  }.joined()
}

extension String {
  fileprivate var trimmingTrailingSpaces: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
