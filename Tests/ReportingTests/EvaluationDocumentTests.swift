import Evaluation
import Reporting
import Testing

struct EvaluationDocumentTests {
  @Test("holds every question, every answer and a score of each")
  func holds() {
    let document = Sample().document
    #expect(document.traces.map(\.questions.count) == Array(repeating: 60, count: 8))
    #expect(document.leaderboard.scores.map(\.name).sorted() == document.answers.map(\.name).sorted())
    #expect(document.leaderboard.scores.first?.name == "grid-filter")
  }
}
