import Reporting
import Support

/// A form of an evaluation, told by the name of its file.
enum ReportForm {
  case page(String)
  case markdown(String)
  case figures(String)
  case answers(String)

  /// - Throws: `RSSIError` for a name that tells no form.
  init(path: String) throws {
    let name = path.lowercased()
    switch true {
    case name.hasSuffix(".html"), name.hasSuffix(".htm"): self = .page(path)
    case name.hasSuffix(".md"): self = .markdown(path)
    case name.hasSuffix(".answers.csv"): self = .answers(path)
    case name.hasSuffix(".csv"): self = .figures(path)
    default:
      throw RSSIError(
        .usage,
        "--report \(path): name a file that ends in .html, .md, .csv (figures) or .answers.csv "
          + "(every answer)"
      )
    }
  }

  /// Writes the evaluation; a file appears under its name only when it is whole.
  func write(_ document: EvaluationDocument) throws {
    switch self {
    case .page(let path): try writeOutput(HTMLReport(document).text, to: path)
    case .markdown(let path): try writeOutput(MarkdownReport(document).text, to: path)
    case .figures(let path): try writeOutput(SummaryCSV(document).text, to: path)
    case .answers(let path):
      try writeOutput(to: path) { write in try AnswersCSV(document).write(to: write) }
    }
  }
}
