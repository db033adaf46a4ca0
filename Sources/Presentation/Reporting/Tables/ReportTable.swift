import NumericalMethods
import Support

/// A table of a report, which a terminal (``FittedTable``), a page, Markdown and CSV show.
///
/// A column is declared once, with its heading, help, unit, key, rank and value. Each form shows
/// what it has a place for.
struct ReportTable: Sendable {
  var caption: String
  private(set) var headings: [Heading]
  private(set) var rows: [[Cell]]
  /// A Boolean value that is true if a reader of a page may want another order.
  var isSortable = true

  /// Everything about a column except its values.
  struct Heading: Sendable {
    var text: String
    /// The heading on a terminal, if it differs.
    var textOnTerminal: String?
    /// The explanation of the column that a page shows as a tooltip.
    var help: String?
    /// The unit, on a line below the headings of a terminal, and behind the heading on a page.
    var unit = ""
    /// The name of the column in CSV; nil if it is left out there.
    var key: String?
    /// A Boolean value that is true if a page aligns the column as text.
    var isText = false
    /// The importance on a terminal: columns of a higher rank are left out first, 0 always stays,
    /// and columns without a rank are never shown there.
    var rank: Int?
    /// The width to which a terminal may shorten texts; nil for numbers, which stay whole and stand
    /// on the right.
    var least: Int?
    /// A Boolean value that is true if texts are shortened in the middle, because they differ at
    /// the end.
    var keepsEnd = true
  }

  /// A column: its heading, and its cell in a row.
  struct Column<Row> {
    let heading: Heading
    let cell: (Row) -> Cell

    static func number(
      _ heading: String, _ help: String? = nil, unit: String = "", key: String? = nil,
      rank: Int? = 0, _ cell: @escaping (Row) -> Cell
    ) -> Column {
      Column(
        heading: Heading(text: heading, help: help, unit: unit, key: key, rank: rank), cell: cell)
    }

    static func text(
      _ heading: String, _ help: String? = nil, onTerminal: String? = nil, key: String? = nil,
      rank: Int? = 0, least: Int? = nil, keepsEnd: Bool = true, _ cell: @escaping (Row) -> Cell
    ) -> Column {
      Column(
        heading: Heading(
          text: heading, textOnTerminal: onTerminal, help: help, key: key, isText: true, rank: rank,
          least: least, keepsEnd: keepsEnd), cell: cell)
    }
  }

  init<Row>(
    _ caption: String = "", of rows: some Sequence<Row>, isSortable: Bool = true,
    _ columns: [Column<Row>]
  ) {
    self.caption = caption
    self.isSortable = isSortable
    headings = columns.map(\.heading)
    self.rows = rows.map { row in columns.map { $0.cell(row) } }
  }

  /// Adds a row below the others, such as a sum, with a cell for each column.
  mutating func add(row: [Cell]) { rows.append(row) }

  /// Removes all rows after the first ones.
  mutating func keep(_ count: Int) { rows = Array(rows.prefix(count)) }
}

extension ReportTable {
  /// A value in a table.
  struct Cell: Sendable {
    enum Value: Sendable {
      case text(String)
      /// A text that someone else chose.
      case name(String)
      /// A number and the count of its decimals.
      case number(Double?, Int)
      /// A number in the fewest digits that read back as the same value.
      case exact(Double?)
      case count(Int?)
      case share(Double?)
      case interval(Interval?)
      case probability(Double?)
      /// A picture and the number by which its rows are sorted.
      case picture(HTML, order: Double)
    }

    var value: Value
    /// The place of the algorithm whose colour marks the cell.
    var colour: Int?
    /// A word or two on what the cell names.
    var remark: String?
    /// The text on a terminal, if it differs.
    var textOnTerminal: String?
    /// The place against the best of the column.
    var standing: Standing?

    /// The place of a value against the best of its column.
    enum Standing: String, Sendable { case best, tied, behind }

    static func text(_ text: String, onTerminal: String? = nil) -> Cell {
      Cell(value: .text(text), textOnTerminal: onTerminal)
    }

    static func name(_ text: String, onTerminal: String? = nil) -> Cell {
      Cell(value: .name(text), textOnTerminal: onTerminal)
    }

    /// An algorithm by its place in the leaderboard.
    static func algorithm(
      _ name: String, _ place: Int?, remark: String? = nil, onTerminal: String? = nil
    ) -> Cell {
      Cell(value: .name(name), colour: place, remark: remark, textOnTerminal: onTerminal)
    }

    /// - Parameter onTerminal: the count of decimals on a terminal, if it is lower.
    static func number(_ value: Double?, _ places: Int = 2, onTerminal: Int? = nil) -> Cell {
      Cell(value: .number(value, places), textOnTerminal: onTerminal.map { decimal(value, $0) })
    }

    /// - Parameter onTerminal: the count of decimals on a terminal.
    static func exact(_ value: Double?, onTerminal: Int? = nil) -> Cell {
      Cell(value: .exact(value), textOnTerminal: onTerminal.map { decimal(value, $0) })
    }

    static func count(_ value: Int?) -> Cell { Cell(value: .count(value)) }
    static func share(_ value: Double?) -> Cell { Cell(value: .share(value)) }
    static func interval(_ interval: Interval?) -> Cell { Cell(value: .interval(interval)) }

    /// An interval of shares.
    static func shares(_ interval: Interval?) -> Cell {
      .text(interval.map { "\(percent($0.lower)) – \(percent($0.upper))" } ?? "–")
    }

    static func probability(_ p: Double?) -> Cell { Cell(value: .probability(p)) }

    static func picture(_ picture: HTML, order: Double) -> Cell {
      Cell(value: .picture(picture, order: order))
    }

    /// The text for people.
    var text: String {
      switch value {
      case .text(let text), .name(let text): text
      case .number(let value, let places): decimal(value, places)
      case .exact(let value): value.map { plain($0) } ?? "–"
      case .count(let count): count.map(grouped) ?? "–"
      case .share(let share): percent(share)
      case .interval(let interval):
        interval.map { "\(decimal($0.lower, 2)) – \(decimal($0.upper, 2))" } ?? "–"
      case .probability(let p): p.map { $0 < 0.001 ? "< 0.001" : decimal($0, 3) } ?? "–"
      case .picture: ""
      }
    }

    /// The number by which rows are sorted; nil for texts.
    var order: Double? {
      switch value {
      case .text, .name: nil
      case .number(let value, _), .exact(let value), .probability(let value): value ?? .infinity
      case .count(let count): count.map { Double($0) } ?? .infinity
      case .share(let share): share ?? -1
      case .interval(let interval): interval?.upper ?? .infinity
      case .picture(_, let order): order
      }
    }

    var picture: HTML? { if case .picture(let picture, _) = value { picture } else { nil } }
    var isName: Bool { if case .name = value { true } else { false } }
  }
}

extension ReportTable {
  var html: HTML {
    let columns = headings.map { heading -> HTML in
      let help: HTML = heading.help.map { " title=\"\($0)\"" } ?? ""
      return
        "<th scope=\"col\" class=\"\(heading.isText ? "text" : "number")\"\(help)>\(heading.text)\(heading.unit.isEmpty ? "" : ", \(heading.unit)" as HTML)</th>"
    }
    let lines = rows.map { row -> HTML in
      "<tr>\(zip(row, headings).enumerated().map { cell($0.element.0, $0.element.1, isFirst: $0.offset == 0) })</tr>\n"
    }
    return """
      <div class="scroll" role="region" tabindex="0" aria-label="\(caption)">
      <table\(isSortable ? " class=\"sortable\"" : "" as HTML)><caption>\(caption)</caption>
      <thead><tr>\(columns)</tr></thead>
      <tbody>
      \(lines)</tbody></table></div>

      """
  }

  private func cell(_ cell: Cell, _ heading: Heading, isFirst: Bool) -> HTML {
    let text = cell.text
    let order: HTML = cell.order.map { " data-order=\"\(sortKey($0))\"" } ?? ""
    let swatch: HTML = cell.colour.map { PagePalette.swatch($0) } ?? ""
    let remark: HTML = cell.remark.map { " <small>\($0)</small>" } ?? ""
    let content: HTML = cell.picture ?? (cell.isName ? HTML.name(text) : "\(text)")
    var kind = (heading.isText ? "text" : "number") + (text == "0" ? " zero" : "")
    // Longer names, such as those with parameters, are broken.
    if heading.isText, text.count <= 25 { kind += " short" }
    if let standing = cell.standing { kind += " \(standing.rawValue)" }
    return isFirst
      ? "<th scope=\"row\" class=\"\(kind)\"\(order)>\(swatch)\(content)\(remark)</th>"
      : "<td class=\"\(kind)\"\(order)>\(swatch)\(content)\(remark)</td>"
  }

  private func sortKey(_ order: Double) -> String {
    order == .infinity ? "1e308" : order.isFinite ? decimal(order, 6) : "-1e308"
  }

  /// The table without the columns that are nothing but pictures.
  var markdown: String {
    let shown = headings.indices.filter { column in
      rows.isEmpty || rows.contains { $0[column].picture == nil }
    }
    func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |\n" }
    return line(shown.map { Markdown.escaped(headings[$0].text) })
      + line(shown.map { headings[$0].isText ? "---" : "---:" })
      + rows.map { row in
        line(
          shown.map {
            row[$0].standing.mark(Markdown.escaped(row[$0].text))
              + (row[$0].remark.map { " (\($0))" } ?? "")
          })
      }.joined()
  }
}

extension ReportTable {
  /// The columns that have a key, as CSV; a field without a value is empty.
  var csv: String { csvHeader + csvRows }

  private var fields: CSVColumns<[Cell]> {
    CSVColumns(
      headings.enumerated().compactMap { index, heading in
        heading.key.map { ($0, { $0[index].field }) }
      })
  }

  /// The first line of ``csv``.
  var csvHeader: String { fields.names + "\n" }

  /// The other lines of ``csv``, so that a long table can be written piece by piece.
  var csvRows: String {
    let fields = fields
    return rows.map { fields.fields($0) + "\n" }.joined()
  }
}

extension ReportTable.Cell {
  /// The value as a field of CSV.
  fileprivate var field: String {
    switch value {
    case .text(let text), .name(let text): CSV.text(text)
    case .number(let value, let places): CSV.number(value, places)
    case .exact(let value): value.map { plain($0) } ?? ""
    case .count(let count): count.map(String.init) ?? ""
    case .share(let value), .probability(let value): CSV.number(value, 4)
    case .interval, .picture: ""
    }
  }
}

extension ReportTable.Cell.Standing? {
  /// Returns a text of Markdown with the emphasis of the place.
  fileprivate func mark(_ text: String) -> String {
    switch self {
    case .best: "**\(text)**"
    case .tied: "*\(text)*"
    case .behind, nil: text
    }
  }
}
