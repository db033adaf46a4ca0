import Evaluation
import Reporting
import Testing

struct EvaluationDocumentTests {
  @Test func `holds every question, every answer and a score of each`() {
    let document = Sample().document
    #expect(document.traces.map(\.questions.count) == Array(repeating: 60, count: 8))
    #expect(
      document.leaderboard.scores.map(\.name).sorted() == document.answers.map(\.name).sorted())
    #expect(document.leaderboard.scores.first?.name == "grid-filter")
  }

  @Test func `distinguishes traces of one name`() {
    let names = ["walk", "walk", "walk (2)", "other", "walk"]
    let document = EvaluationDocument(
      title: "", traces: names.map { EvaluatedTrace(name: $0, questions: []) }, answers: [],
      leaderboard: Leaderboard(traces: [], answers: []),
      settings: EvaluationSettings(
        epoch: "2s", truthAt: "end", levels: "raw", separation: .unknown),
      provenance: EvaluationProvenance(version: "0", commandLine: "rssi eval", inputs: []))
    #expect(
      document.traces.map(\.name) == ["walk", "walk (2)", "walk (2) (2)", "other", "walk (3)"])
  }
}
