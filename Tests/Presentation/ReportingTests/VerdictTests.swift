import Evaluation
import Geometry
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
      document.verdictSentence.markdown.hasPrefix("**grid-filter** is best: its median error is 0.")
    )
  }

  @Test func `without a winner the sentence says why`() {
    let apart = sentence {
      $0.leaderboard.verdict.best = ["grid-filter", "power-center", "maximum-likelihood"]
      $0.leaderboard.verdict.reason = .notToldApart
    }
    #expect(
      apart.hasPrefix(
        "**grid-filter**, **power-center** and **maximum-likelihood** cannot be told apart"))
    let few = sentence { $0.leaderboard.verdict.reason = .tooFewTraces(1, needed: 6) }
    #expect(few.contains("1 trace cannot settle") && few.contains("at least 6"))
    let one = sentence { $0.leaderboard.verdict.reason = .onlyOneAlgorithm }
    #expect(one.contains("no other algorithm"))
    let none = sentence { $0.leaderboard.verdict.best = [] }
    #expect(none == "No algorithm answered any question.")
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
        #expect(text.contains("no best: \(counted)"))
        #expect(changed.verdictSentence.markdown.contains("\(counted) cannot settle"))
      } else {
        #expect(text.contains("no significant difference"))
        #expect(changed.verdictSentence.markdown.contains("on these \(unit)s"))
      }
      guard unit != "trace" else { continue }
      // Blocks are of each trace, which their own sentence says.
      let sentences = text.split(separator: "\n").filter { !$0.contains("draw blocks of") }
      #expect(!sentences.contains { $0.contains("trace") }, "\(sentences)")
      #expect(!changed.verdictRemarks.contains { $0.markdown.contains("trace") })
      let tables = [changed.leaderboardTable, changed.comparisonTable, changed.traceTable]
        .compactMap(\.self)
      #expect(!tables.contains { $0.html.text.contains("trace") })
    }
  }

  @Test func `says whether anything beats the plain centroid`() {
    func remark(_ beatenBy: [String], _ reason: Verdict.Reason?) -> String {
      var changed = document
      changed.leaderboard.baselines[0].beatenBy = beatenBy
      changed.leaderboard.verdict.reason = reason
      return changed.verdictRemarks[0].markdown
    }
    #expect(
      remark([], .notToldApart).hasPrefix(
        "Nothing beats the plain **weighted-centroid:degree=2** beyond chance: these traces"))
    #expect(remark([], .tooFewTraces(3, needed: 6)).contains("with so few traces nothing could"))
    #expect(remark(["grid-filter"], nil).hasPrefix("1 of 4 algorithms beats the plain"))
  }

  @Test func `a line of the leaderboard says how it stands`() {
    var changed = document
    changed.leaderboard.scores[0].isCausal = false
    #expect(changed.standing(of: changed.leaderboard.scores[0]) == "best, hindsight")
    #expect(changed.standing(of: changed.leaderboard.scores[1]) == nil)
    #expect(changed.standing(of: changed.leaderboard.scores[4]) == "answers rarely")
    changed.leaderboard.verdict.reason = .notToldApart
    #expect(changed.standing(of: changed.leaderboard.scores[0]) == "may be best, hindsight")
    #expect(MarkdownReport(changed).text.contains("| grid-filter (may be best, hindsight) |"))
    // Too few traces tell nothing of any line.
    changed.leaderboard.verdict.reason = .tooFewTraces(3, needed: 8)
    #expect(changed.standing(of: changed.leaderboard.scores[0]) == "hindsight")
    #expect(!MarkdownReport(changed).text.contains("may be best"))
  }

  @Test func `foresight, silence and scoring in sample are told`() {
    var changed = document
    changed.leaderboard.scores[0].isCausal = false
    changed.notes = ["levels are rounded"]
    let remarks = changed.verdictRemarks.map(\.markdown)
    #expect(remarks.contains { $0.contains("heard later") })
    #expect(remarks.contains { $0.contains("**power-center**") })
    #expect(remarks.last == "Levels are rounded.")
    changed.settings.separation = .inSample
    #expect(changed.separationSentence.markdown.hasPrefix("IN SAMPLE"))
  }
}
