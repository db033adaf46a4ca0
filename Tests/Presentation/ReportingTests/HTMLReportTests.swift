import Evaluation
import Foundation
import Geometry
import Support
import TestSupport
import Testing

@testable import Reporting

struct HTMLReportTests {
  private func html5lib(_ page: String, _ script: String) throws -> String {
    let scratch = try TemporaryDirectory()
    let result = try runPython(
      """
      import sys, html5lib
      page = open(sys.argv[1], encoding="utf-8", newline="").read()
      tree = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(page)
      \(script)
      """, [try scratch.write(page, to: "page.html")])
    return result.exitCode == 0 ? result.output : "invalid: \(result.error.suffix(500))"
  }

  @Test func `is valid HTML, with ordinary names and with hostile ones`() throws {
    for document in [Sample(walks: 2, questionsEach: 5).document, Hostile.document] {
      #expect(try html5lib(HTMLReport(document).text, "print('valid')") == "valid\n")
    }
    let broken = try html5lib("<!DOCTYPE html><p></b></p>", "print('valid')")
    #expect(broken.contains("ParseError"))
  }

  @Test func `holds tables, curves and plan without a script`() throws {
    let figures = try html5lib(
      HTMLReport(Sample(walks: 3, questionsEach: 10).document).text,
      """
      def part(name): return next(e for e in tree.iter("section") if e.get("id") == name)
      print(len(list(part("leaderboard").iter("tbody"))[0]), len([p for p in part("distributions").iter() if "curve " in (p.get("class") or "")]),
        len([g for g in part("plan").iter() if g.get("class") == "anchor"]), len(list(part("worst").iter("tr"))) - 1)
      """)
    #expect(figures == "5 10 7 40\n")
  }

  @Test func `bands of curves need five traces`() {
    func bands(_ walks: Int) -> (count: Int, page: String) {
      let page = HTMLReport(Sample(walks: walks, questionsEach: 10).document).text
      return (page.components(separatedBy: "<path class=\"band ").count - 1, page)
    }
    let (few, many) = (bands(4), bands(5))
    #expect(few.count == 0 && few.page.contains("No bands: too few traces."))
    // Five algorithms on a linear and on a logarithmic scale.
    #expect(many.count == 10 && many.page.contains("intervals of the share at each length"))
  }

  @Test func `names no other place to load from`() {
    let page = HTMLReport(Sample(walks: 2, questionsEach: 5).document).text
    let places = page.matches(of: /(?:src|href)="([^"]*)"/).map { String($0.1) }
    #expect(places.count > 10)
    #expect(places.allSatisfy { $0.hasPrefix("#") || $0 == "data:," })
    #expect(!page.contains("@import") && !page.contains("url("))
  }

  @Test func `is the same for the same input, and another for another`() {
    let sample = Sample(walks: 3, questionsEach: 10)
    #expect(HTMLReport(sample.document).text == HTMLReport(sample.document).text)
    #expect(
      HTMLReport(sample.document).text
        != HTMLReport(Sample(walks: 3, questionsEach: 10, seed: 8).document).text)
  }

  @Test
  func `notes omitted questions of the plan, keeps the worst, and stays small`() throws {
    let document = Sample(walks: 4, questionsEach: 200).document
    let whole = HTMLReport(document).text
    #expect(!whole.contains("The plan shows one epoch"))
    let thin = HTMLReport(document, mostAnswers: 500).text
    #expect(thin.contains("one epoch in 8 of each trace"))
    let errors = document.ranked.map { AnswerErrors($0, traces: document.traces, worst: 8) }
    let json = EmbeddedAnswers(document, errors, mostAnswers: 500).json.text
    let allJSON = EmbeddedAnswers(document, errors, mostAnswers: 10_000).json.text
    #expect(json.utf8.count < allJSON.utf8.count / 2)
    let data = try #require(
      try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    let traces = try #require(data["traces"] as? [[String: Any]])
    for place in errors[3].worst {
      let numbers = try #require(traces[place.trace]["numbers"] as? [Int])
      #expect(numbers.contains(place.question))
    }
    let counts = traces.compactMap { ($0["numbers"] as? [Int])?.count }
    let kept = counts.reduce(0, +)
    #expect(kept <= 140)
  }

  @Test func `an evaluation of nothing has a page too`() throws {
    let document = EvaluationDocument(
      title: "nothing", traces: [], answers: [], leaderboard: Leaderboard(traces: [], answers: []),
      settings: EvaluationSettings(
        epoch: "2s", truthAt: "end", levels: "raw", separation: .unknown),
      provenance: EvaluationProvenance(version: "0", commandLine: "rssi eval", inputs: []))
    #expect(HTMLReport(document).text.contains("No algorithm"))
    if Chromium.isThere { #expect(try Chromium.open(HTMLReport(document).text).console == []) }
  }

  @Test func `begins with IN SAMPLE if traces of the fit are scored`() throws {
    var document = Sample(walks: 2, questionsEach: 5).document
    #expect(!HTMLReport(document).text.contains("IN SAMPLE"))
    document.settings.separation = .inSample
    let page = HTMLReport(document).text
    let banner = try #require(page.range(of: "IN SAMPLE"))
    let verdict = try #require(page.range(of: "class=\"verdict\""))
    #expect(banner.lowerBound < verdict.lowerBound)
  }
}
