package import Evaluation
import Support

/// An evaluation as one page that needs nothing else: no network, no library, no server.
///
/// Tables and distributions are there without a script; the script adds sorting, choosing and the
/// floor plan's answers. A part can be named in the address:
/// `#trace=walk%201&algorithm=centroid&epoch=12`, epochs counted from 1. See docs/report.md.
package final class HTMLReport {
  private let document: EvaluationDocument
  private let errors: [AnswerErrors]
  private let answers: EmbeddedAnswers

  package convenience init(_ document: EvaluationDocument) {
    self.init(document, mostAnswers: EmbeddedAnswers.mostAnswers)
  }

  /// - Parameter mostAnswers: the maximum number of answers on the floor plan.
  init(_ document: EvaluationDocument, mostAnswers: Int) {
    let document = document.joiningEqualAlgorithms()
    self.document = document
    let worst = document.answers.count > 12 ? 5 : 8
    errors = document.ranked.map { AnswerErrors($0, traces: document.traces, worst: worst) }
    answers = EmbeddedAnswers(document, errors, mostAnswers: mostAnswers)
  }

  /// The page; the same document gives the same bytes.
  package var text: String {
    ReportPage(
      version: document.provenance.version, kicker: "Positioning evaluation", title: document.title,
      summary: summary,
      sections: PageSections(document, errors: errors, stride: answers.stride).all,
      data: answers.json, script: PackageResources.evaluation_js
    ).text
  }

  private var summary: HTML {
    let warns = document.settings.separation == .inSample
    let separation = document.separationSentence.html
    let banner: HTML =
      warns ? "<p class=\"banner warning\" role=\"alert\">\(separation)</p>\n" : ""
    let remarks = document.verdictRemarks.map { "\($0.html) " as HTML }
    return """
      \(banner)<p class="verdict">\(document.verdictSentence.html)</p>
      <p class="remark">\(remarks)\(warns ? "" : separation)</p>
      \(ReportPage.facts(facts))
      """
  }

  private var facts: [(String, String)] {
    [
      ("algorithms", grouped(document.answers.count)),
      (document.units, grouped(document.traces.count)),
      ("epochs", grouped(document.questionCount)),
      ("epoch", document.settings.epoch), ("truth at", document.settings.truthAt),
      ("levels", document.settings.levels), ("anchors", grouped(document.site.anchors.count)),
    ]
  }
}
