import Evaluation
import Geometry
import Support
import Testing

@testable import Reporting

struct VerdictTests {
  private let document = Sample(walks: 8, questionsEach: 40).document

  private func sentence(_ change: (inout EvaluationDocument) -> Void) -> String {
    var changed = document
    change(&changed)
    return changed.verdictSentence.markdown
  }

  @Test func `a winner is named with its error`() throws {
    try #require(document.leaderboard.verdict.winner == "grid-filter")
    #expect(
      document.verdictSentence.markdown.hasPrefix(
        "Winner: **grid-filter**, with a median error of 0."))
    #expect(document.nextStep?.text == "locate with grid-filter (`rssi locate`)")
  }

  @Test func `the sentence without a winner has the reason`() {
    let apart = sentence {
      $0.leaderboard.verdict.best = ["grid-filter", "power-center", "maximum-likelihood"]
      $0.leaderboard.verdict.reason = .notToldApart
    }
    #expect(
      apart
        == "No winner: no significant difference between **grid-filter**, **power-center** and "
        + "**maximum-likelihood**.")
    let few = sentence { $0.leaderboard.verdict.reason = .tooFewTraces(1, needed: 6) }
    #expect(few == "No winner: 1 trace is too few to separate 5 algorithms (at least 6).")
    let one = sentence { $0.leaderboard.verdict.reason = .onlyOneAlgorithm }
    #expect(one.contains("no other algorithm"))
    let none = sentence { $0.leaderboard.verdict.best = [] }
    #expect(none == "No algorithm answered any epoch.")
  }

  @Test(arguments: [
    (EvaluationSettings.Resampled.places, "place"), (.blocks(30_000_000_000), "block"),
    (.traces, "trace"),
  ])
  func `sentences, tables and pages count what is drawn and compared`(
    resampled: EvaluationSettings.Resampled, unit: String
  ) {
    for reason in [
      Verdict.Reason.tooFewTraces(3, needed: 8), .tooFewTraces(1, needed: 8), .notToldApart,
    ] {
      var changed = document
      changed.settings.resampled = resampled
      changed.leaderboard.verdict.best = ["grid-filter", "maximum-likelihood"]
      changed.leaderboard.verdict.reason = reason
      changed.leaderboard.baselines[0].beatenBy = []
      let text = EvaluationText(changed).report.text()
      if case .tooFewTraces(let count, _) = reason {
        let counted = count == 1 ? "1 \(unit)" : "\(count) \(unit)s"
        #expect(text.contains("No winner: \(counted) "))
        #expect(text.contains(#/next: record at least \d+ more/#))
      } else {
        #expect(text.contains("No winner: no significant difference between grid-filter and"))
        #expect(
          text.contains(
            #/next: use weighted-centroid:degree=2, .* \d+ (?:more )?[a-z]+ like these/#))
      }
      guard unit != "trace" else { continue }
      // Blocks are of each trace, which their own sentence says.
      let sentences = text.split(separator: "\n").filter { !$0.contains("resample blocks of") }
      #expect(!sentences.contains { $0.contains("trace") }, "\(sentences)")
      #expect(!changed.verdictRemarks.contains { $0.markdown.contains("trace") })
      let tables = [changed.leaderboardTable, changed.comparisonTable, changed.traceTable]
        .compactMap(\.self)
      #expect(!tables.contains { $0.html.text.contains("trace") })
    }
  }

  @Test func `compares with the plain centroid`() {
    func remark(_ beatenBy: [String], _ reason: Verdict.Reason?) -> String {
      var changed = document
      changed.leaderboard.baselines[0].beatenBy = beatenBy
      changed.leaderboard.verdict.reason = reason
      return changed.baselineSentence?.markdown ?? ""
    }
    #expect(
      remark([], .notToldApart)
        == "No algorithm is significantly better than **weighted-centroid:degree=2**.")
    #expect(
      remark(["grid-filter"], nil)
        == "Significantly better than **weighted-centroid:degree=2**: **grid-filter**.")
  }

  @Test func `a line of the leaderboard has its verdict`() {
    var changed = document
    changed.leaderboard.scores[0].isCausal = false
    #expect(changed.standing(of: changed.leaderboard.scores[0]) == "best, hindsight")
    #expect(changed.standing(of: changed.leaderboard.scores[1]) == nil)
    #expect(changed.standing(of: changed.leaderboard.scores[4]) == "too few answers")
    changed.leaderboard.verdict.reason = .notToldApart
    #expect(changed.standing(of: changed.leaderboard.scores[0]) == "possible winner, hindsight")
    #expect(MarkdownReport(changed).text.contains("| grid-filter (possible winner, hindsight) |"))
    // Too few traces tell nothing of any line.
    changed.leaderboard.verdict.reason = .tooFewTraces(3, needed: 8)
    #expect(changed.standing(of: changed.leaderboard.scores[0]) == "hindsight")
    #expect(!MarkdownReport(changed).text.contains("possible winner"))
  }

  @Test func `foresight, silence and scoring in sample are noted`() {
    var changed = document
    changed.leaderboard.scores[0].isCausal = false
    changed.notes = ["levels are rounded"]
    let remarks = changed.verdictRemarks.map(\.markdown)
    #expect(remarks.contains { $0.contains("**grid-filter** uses later sightings (hindsight)") })
    #expect(remarks.contains { $0 == "Excluded: **power-center** (too few answers)." })
    #expect(remarks.suffix(2).first == "Levels are rounded.")
    changed.settings.separation = .inSample
    #expect(changed.separationSentence.markdown.hasPrefix("IN SAMPLE"))
  }

  @Test func `algorithms with equal answers are one row that names both`() throws {
    var sample = Sample(walks: 2, questionsEach: 20)
    sample.characters = Array(Sample.characters.prefix(2))
    let traces = sample.traces
    var answers = sample.answers(to: traces)
    var same = answers[1]
    same.name = "a-likelihood"
    answers.append(same)
    var document = document
    (document.traces, document.answers) = (traces, answers)
    document.leaderboard = Sample.leaderboard(traces, answers)
    let both = "a-likelihood = maximum-likelihood"
    for text in [
      EvaluationText(document).report.text(), MarkdownReport(document).text,
      HTMLReport(document).text,
    ] {
      #expect(text.contains(both))
      let others = text.replacing(both, with: "").replacing("a-likelihood%20%3D", with: "")
      #expect(!others.contains("a-likelihood"))
    }
    #expect(SummaryCSV(document).text.contains("\na-likelihood,"))
  }

  @Test func `the short form has ten rows, and says how many more there are`() {
    var sample = Sample(walks: 2, questionsEach: 20)
    sample.characters = (0..<13).map { Sample.Character(name: "one-\($0)", deviation: 1) }
    let traces = sample.traces
    let answers = sample.answers(to: traces)
    var document = document
    (document.traces, document.answers) = (traces, answers)
    document.leaderboard = Sample.leaderboard(traces, answers)
    let short = EvaluationText(document, more: "--full").report.text()
    #expect(short.matches(of: #/\none-\d+ /#).count == 10 && short.contains("… 3 more: --full\n"))
    #expect(!short.contains("lag-1") && short.split(separator: "\n").count <= 16)
    let full = EvaluationText(document).report.text()
    #expect(full.matches(of: #/\none-\d+ /#).count == 13)
    #expect(full.contains("lag-1 correlation, effective sample size"))
    #expect(full.contains("efficiency (CRLB / MSE)"))
  }

  @Test func `equivalence is reported in words, in the table and as JSON`() throws {
    let sample = Sample(walks: 12, questionsEach: 40)
    let (traces, said) = (sample.traces, sample.answers(to: sample.traces))
    var document = sample.document
    var settings = LeaderboardSettings()
    settings.bootstrap.resamples = 100
    settings.test.margin = 1.5
    document.leaderboard = Leaderboard(traces: traces, answers: said, settings: settings)
    document.settings.margin = 1.5
    let sentences = document.equivalenceSentences.map(\.markdown)
    // A deviation of 0.5 m is as good as one of 0.9 m within 1.5 m, and one of 2.2 m is not known
    // to be.
    #expect(
      sentences.contains {
        $0.hasPrefix("Compared with **grid-filter**, equivalent within 1.5 m: ")
          && $0.contains("**maximum-likelihood**")
      }, "\(sentences)")
    #expect(
      !sentences.contains {
        $0.hasPrefix("Compared with **grid-filter**, equivalent") && $0.contains("**power-center**")
      })
    #expect(sentences.contains { $0.hasPrefix("Compared with **weighted-centroid") })
    let text = EvaluationText(document).report.text()
    #expect(text.contains("equivalent within 1.5 m"))
    #expect(document.comparisonTable?.headings.contains { $0.text == "against the margin" } == true)
    let json = jsonText(EvaluationJSON(document).value)
    #expect(json.contains("\"equivalence_margin_m\" : 1.5"))
    #expect(json.contains("\"outcome\" : \"equivalent\""))
    // Without a margin, nothing about it is reported.
    #expect(self.document.equivalenceSentences.isEmpty)
    #expect(!EvaluationText(self.document).report.text().contains("equivalent"))
  }
}
