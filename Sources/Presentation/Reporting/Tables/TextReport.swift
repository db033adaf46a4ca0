import Screens
import Support

/// The width and the abilities of the terminal or file that shows a report.
package struct TextLayout: Sendable {
  /// Columns of the terminal; nil = a pipe or a file, where nothing is left out and lines stay
  /// whole.
  package var width: Int?
  /// A Boolean value that is true if it shows more than ASCII.
  package var isUnicode = true
  /// A Boolean value that is true if headings are bold.
  package var isBold = false

  package init(width: Int? = nil, isUnicode: Bool = true, isBold: Bool = false) {
    (self.width, self.isUnicode, self.isBold) = (width, isUnicode, isBold)
  }
}

/// A report for people: headings, lines and tables, which a terminal shows within its width.
package struct TextReport: Sendable {
  private enum Part: Sendable {
    case heading(String)
    case lines(String)
    case table(ReportTable)
  }

  private var parts: [Part] = []

  package init() {}

  /// - Parameter text: lines, each with its end.
  package init(_ text: String) { add(text) }

  /// Adds a line that stands above others.
  mutating func add(heading: String) { parts.append(.heading(heading)) }

  /// Adds lines, each with its end.
  mutating func add(_ lines: String) { if !lines.isEmpty { parts.append(.lines(lines)) } }

  mutating func add(_ report: TextReport) { parts += report.parts }

  mutating func add(table: ReportTable) { parts.append(.table(table)) }

  /// The text, in which names from outside cannot steer a terminal.
  package func text(in layout: TextLayout = TextLayout()) -> String {
    parts.map { part in
      switch part {
      case .heading(let text): layout.bold(layout.wrapped(text.printable)) + "\n"
      case .lines(let text): layout.wrappedLines(text.printableLines)
      case .table(let one): table(one, layout)
      }
    }.joined()
  }

  private func table(_ table: ReportTable, _ layout: TextLayout) -> String {
    let table = FittedTable(table, isUnicode: layout.isUnicode)
    let width = layout.width ?? .max
    let missing = table.headingsLeftOut(width: width)
    let text = table.text(width: width, heading: layout.bold)
    guard !missing.isEmpty else { return text }
    return text
      + layout.wrappedLines(
        "too wide for this terminal: \(missing.joined(separator: ", ")); the JSON report has all\n")
  }
}

extension TextLayout {
  /// Returns a line in bold if the terminal shows it.
  func bold(_ line: String) -> String {
    isBold && !line.isEmpty ? "\u{1B}[1m\(line)\u{1B}[0m" : line
  }

  fileprivate func wrappedLines(_ text: String) -> String {
    guard width != nil else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { wrapped(String($0)) }.joined(separator: "\n")
  }

  /// Returns a line wrapped between words to the width of the terminal; the rest stands under
  /// the value of a label, or further to the right than the line's beginning.
  fileprivate func wrapped(_ line: String) -> String {
    guard let width, line.unicodeScalars.count > width / 2, Self.columns(line) > width else {
      return line
    }
    let start = line.prefix { $0 == " " }.count
    let value = Self.value(of: line, after: start) ?? start
    // A label that takes much of the width leaves the lines below it too little.
    let indent = value > start && value <= width / 3 ? value : min(start + 2, width / 3)
    var (lines, current) = ([String](), String(line.prefix(value)))
    var isEmpty = true
    for word in line.dropFirst(value).split(separator: " ") {
      if !isEmpty, Self.columns(current) + 1 + Self.columns(word) > width {
        lines.append(current)
        current = String(repeating: " ", count: indent)
        isEmpty = true
      }
      current += (isEmpty ? "" : " ") + word
      isEmpty = false
    }
    return (lines + [current]).joined(separator: "\n")
  }

  /// Returns the column of the value in a line of a label, two or more spaces, and a value.
  private static func value(of line: String, after start: Int) -> Int? {
    guard let gap = line.dropFirst(start).firstRange(of: "  ") else { return nil }
    let value = line[gap.lowerBound...].firstIndex { $0 != " " }
    return value.map { line.distance(from: line.startIndex, to: $0) }
  }

  private static func columns(_ text: some StringProtocol) -> Int {
    PrintableText(String(text)).columns
  }
}
