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

  @Test("a winner is named with its error")
  func winner() throws {
    try #require(document.leaderboard.verdict.winner == "grid-filter")
    #expect(
      document.verdictSentence.markdown.hasPrefix("**grid-filter** is best: its median error is 0.")
    )
  }

  @Test("without a winner the sentence says why")
  func noWinner() {
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

  @Test("says whether anything beats the plain centroid")
  func baseline() {
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

  @Test("a line of the leaderboard says how it stands")
  func standing() {
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

  @Test("foresight, silence and scoring in sample are told")
  func remarks() {
    var changed = document
    changed.leaderboard.scores[0].isCausal = false
    changed.notes = ["levels are rounded"]
    let remarks = changed.verdictRemarks.map(\.markdown)
    #expect(remarks.contains { $0.hasPrefix("**grid-filter** uses what was heard later") })
    #expect(remarks.contains { $0.contains("unanswered that others answer: **power-center**") })
    #expect(remarks.last == "Levels are rounded.")
    changed.settings.separation = .inSample
    #expect(changed.separationSentence.markdown.hasPrefix("IN SAMPLE"))
  }
}
