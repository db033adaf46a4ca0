import Support

/// A table of a report, written as HTML and as Markdown.
struct ReportTable {
  struct Column {
    var heading: String
    /// What the column is, for those who ask.
    var help: String?
    var isText = false
  }

  struct Cell {
    var text: String
    /// What rows are sorted by; nil = the text.
    var order: Double?
    /// A text that someone else chose.
    var isName = false
    /// The place of the algorithm whose colour marks the cell.
    var colour: Int?
    /// A word or two on what the cell names.
    var remark: String?
    /// Markup that stands in for the text on a page.
    var picture: HTML?

    static func text(_ text: String) -> Cell { Cell(text: text) }
    static func name(_ text: String) -> Cell { Cell(text: text, isName: true) }

    /// An algorithm by its place in the leaderboard.
    static func algorithm(_ name: String, _ place: Int?, remark: String? = nil) -> Cell {
      Cell(text: name, isName: true, colour: place, remark: remark)
    }

    static func number(_ value: Double?, _ places: Int = 2) -> Cell {
      Cell(text: decimal(value, places), order: value ?? .infinity)
    }

    static func count(_ value: Int) -> Cell { Cell(text: grouped(value), order: Double(value)) }
    static func share(_ value: Double?) -> Cell { Cell(text: percent(value), order: value ?? -1) }

    static func picture(_ picture: HTML, order: Double) -> Cell {
      Cell(text: "", order: order, picture: picture)
    }
  }

  var caption: String
  var columns: [Column]
  var rows: [[Cell]] = []
  /// Whether a reader may want another order.
  var isSortable = true

  static func column(_ heading: String, _ help: String? = nil) -> Column {
    Column(heading: heading, help: help)
  }

  static func textColumn(_ heading: String, _ help: String? = nil) -> Column {
    Column(heading: heading, help: help, isText: true)
  }

  var html: HTML {
    let headings = columns.map { column -> HTML in
      let help: HTML = column.help.map { " title=\"\($0)\"" } ?? ""
      return
        "<th scope=\"col\" class=\"\(column.isText ? "text" : "number")\"\(help)>\(column.heading)</th>"
    }
    let lines = rows.map { row -> HTML in
      "<tr>\(zip(row, columns).enumerated().map { cell($0.element.0, $0.element.1, isFirst: $0.offset == 0) })</tr>\n"
    }
    return """
      <div class="scroll" role="region" tabindex="0" aria-label="\(caption)">
      <table\(isSortable ? " class=\"sortable\"" : "" as HTML)><caption>\(caption)</caption>
      <thead><tr>\(headings)</tr></thead>
      <tbody>
      \(lines)</tbody></table></div>

      """
  }

  private func cell(_ cell: Cell, _ column: Column, isFirst: Bool) -> HTML {
    let order: HTML = cell.order.map { " data-order=\"\(sortKey($0))\"" } ?? ""
    let swatch: HTML = cell.colour.map { PagePalette.swatch($0) } ?? ""
    let remark: HTML = cell.remark.map { " <small>\($0)</small>" } ?? ""
    let content: HTML = cell.picture ?? (cell.isName ? HTML.name(cell.text) : "\(cell.text)")
    var kind = (column.isText ? "text" : "number") + (cell.text == "0" ? " zero" : "")
    // Longer names, such as those with parameters, are broken.
    if column.isText, cell.text.count <= 24 { kind += " short" }
    return isFirst
      ? "<th scope=\"row\" class=\"\(kind)\"\(order)>\(swatch)\(content)\(remark)</th>"
      : "<td class=\"\(kind)\"\(order)>\(swatch)\(content)\(remark)</td>"
  }

  private func sortKey(_ order: Double) -> String {
    order == .infinity ? "1e308" : order.isFinite ? decimal(order, 6) : "-1e308"
  }

  /// The table without the columns that are nothing but pictures.
  var markdown: String {
    let shown = columns.indices.filter { column in
      rows.isEmpty || !rows.allSatisfy { $0[column].picture != nil && $0[column].text.isEmpty }
    }
    func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |\n" }
    return line(shown.map { Markdown.escaped(columns[$0].heading) })
      + line(shown.map { columns[$0].isText ? "---" : "---:" })
      + rows.map { row in
        line(
          shown.map { Markdown.escaped(row[$0].text) + (row[$0].remark.map { " (\($0))" } ?? "") })
      }.joined()
  }
}
