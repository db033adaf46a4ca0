package import Evaluation
package import Support

/// A file to write an evaluation to, in the form that its name ends in.
package enum ReportForm {
  case page(String)
  case markdown(String)
  case json(String)
  case figures(String)
  case answers(String)

  /// - Throws: `RSSIError` for a name that ends in no known form.
  package init(path: String) throws(RSSIError) {
    let name = path.lowercased()
    switch true {
    case name.hasSuffix(".html"), name.hasSuffix(".htm"): self = .page(path)
    case name.hasSuffix(".md"): self = .markdown(path)
    case name.hasSuffix(".json"): self = .json(path)
    case name.hasSuffix(".answers.csv"): self = .answers(path)
    case name.hasSuffix(".csv"): self = .figures(path)
    default:
      throw RSSIError(
        .usage,
        "`report` \(path): name a file that ends in .html, .md, .json or .csv (figures), or "
          + ".answers.csv (every answer)")
    }
  }

  package var isPage: Bool { if case .page = self { true } else { false } }

  /// Writes the evaluation; the file appears under its name only when it is whole.
  package func write(_ document: EvaluationDocument) throws {
    switch self {
    case .page(let path): try write(HTMLReport(document).text, to: path)
    case .markdown(let path): try write(MarkdownReport(document).text, to: path)
    case .json(let path): try write(jsonText(EvaluationJSON(document).value), to: path)
    case .figures(let path): try write(SummaryCSV(document).text, to: path)
    case .answers(let path):
      try writeWhole(to: path) { write in try AnswersCSV(document).write(to: write) }
    }
  }

  private func write(_ text: String, to path: String) throws {
    try writeWhole(Array(text.utf8), to: path)
  }
}
