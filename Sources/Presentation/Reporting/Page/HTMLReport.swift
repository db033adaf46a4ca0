package import Evaluation
import Support

/// An evaluation as one page that needs nothing else: no network, no library, no server.
///
/// Tables and distributions are there without a script; the script adds sorting, choosing and the
/// floor plan's answers. A part can be named in the address:
/// `#trace=walk%201&algorithm=centroid&epoch=12`, epochs counted from 1. See docs/report.md.
package struct HTMLReport {
  private let document: EvaluationDocument
  private let errors: [AnswerErrors]
  private let answers: EmbeddedAnswers

  package init(_ document: EvaluationDocument) {
    self.init(document, mostAnswers: EmbeddedAnswers.mostAnswers)
  }

  /// - Parameter mostAnswers: as many answers may be on the floor plan.
  init(_ document: EvaluationDocument, mostAnswers: Int) {
    self.document = document
    let worst = document.answers.count > 12 ? 5 : 8
    errors = document.ranked.map { AnswerErrors($0, traces: document.traces, worst: worst) }
    answers = EmbeddedAnswers(document, errors, mostAnswers: mostAnswers)
  }

  /// The page; the same document gives the same bytes.
  package var text: String {
    let sections = PageSections(document, errors: errors, stride: answers.stride).all
    let page: HTML = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'nonce-rssi'; style-src 'nonce-rssi'; img-src data:">
      <meta name="generator" content="rssi \(document.provenance.version)">
      <title>\(document.title) – positioning evaluation</title>
      <link rel="icon" href="data:,">
      <style nonce="rssi">\(Self.style)</style>
      </head>
      <body>
      <a class="skip" href="#leaderboard">Skip to the leaderboard</a>
      \(header)
      <nav aria-label="Sections"><ul>\(sections.map(\.link))</ul></nav>
      <main>
      \(sections.map(\.html))</main>
      <footer><p>Made by rssi \(document.provenance.version). This file needs no network and holds all its data.</p></footer>
      <script type="application/json" id="data" nonce="rssi">\(HTML(trusted: answers.json.text))</script>
      <script nonce="rssi">\(Self.script)</script>
      </body>
      </html>

      """
    return page.text
  }

  private var header: HTML {
    let warns = document.settings.separation == .inSample
    let banner: HTML = """
      <p class="\(warns ? "banner warning" : "separation")"\(warns ? " role=\"alert\"" : "" as HTML)>\(document.separationSentence.html)</p>
      """
    return """
      <header>
      <p class="kicker">Positioning evaluation</p>
      <h1>\(HTML.name(document.title))</h1>
      \(warns ? banner : "")
      <p class="verdict">\(document.verdictSentence.html)</p>
      \(document.verdictRemarks.map { "<p class=\"remark\">\($0.html)</p>\n" as HTML })
      \(warns ? "" : banner)
      <dl class="facts">\(facts.map { "<div><dt>\($0.0)</dt><dd>\($0.1)</dd></div>" as HTML })</dl>
      </header>
      """
  }

  /// The palette's rules, then page.css.
  private static let style = HTML(
    trusted: "\n" + PagePalette.style + "\n\n"
      + String(decoding: PackageResources.page_css, as: UTF8.self))

  private static let script = HTML(
    trusted: "\n" + String(decoding: PackageResources.page_js, as: UTF8.self))

  private var facts: [(String, String)] {
    [
      ("algorithms", grouped(document.leaderboard.scores.count)),
      ("traces", grouped(document.traces.count)), ("questions", grouped(document.questionCount)),
      ("epoch", document.settings.epoch), ("truth at", document.settings.truthAt),
      ("levels", document.settings.levels), ("anchors", grouped(document.site.anchors.count)),
    ]
  }
}
