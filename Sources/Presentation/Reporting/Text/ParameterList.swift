package import Support

/// Filters or algorithms with their parameters, as a list for a help text of 80 columns.
///
///     median       median over a window of time
///       window=2s  length of the window: above 0
package func parameterList(of kinds: [some SpecifiedKind]) -> String {
  var rows: [(label: String, text: String)] = []
  for kind in kinds {
    rows.append((kind.name, kind.summary))
    for parameter in kind.parameters {
      let value = parameter.fallback.map { "=\($0)" } ?? ""
      let need = parameter.example == nil ? "" : " (required)"
      rows.append(
        ("  \(parameter.name)\(value)", "\(parameter.summary): \(parameter.range)\(need)"))
    }
  }
  let margin = 2 + (rows.map(\.label.count).max() ?? 0)
  return rows.map { label, text in
    // Of 80 columns the last stays free, else the help breaks the line once more.
    let broken = lines(of: text, width: 79 - margin)
    return label + String(repeating: " ", count: margin - label.count)
      + broken.joined(separator: "\n" + String(repeating: " ", count: margin))
  }.joined(separator: "\n")
}

/// A text in lines that are no longer than a width where its words are not.
private func lines(of text: String, width: Int) -> [String] {
  var lines: [String] = []
  for word in text.split(separator: " ") {
    if let line = lines.last, line.count + 1 + word.count <= width {
      lines[lines.count - 1] = "\(line) \(word)"
    } else {
      lines.append(String(word))
    }
  }
  return lines
}
