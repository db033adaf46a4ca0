import Evaluation
import Positioning
import Reporting
import Testing

struct EvaluationDocumentTests {
  @Test("keeps what was asked and answered")
  func keeps() {
    let answers = AlgorithmAnswers(name: "centroid", outcomes: [[.refused(.tooFewAnchors)]])
    let document = EvaluationDocument(
      traces: [EvaluatedTrace(name: "walk", questions: [])], answers: [answers])
    #expect(document.answers == [answers])
    #expect(document.traces.map(\.name) == ["walk"])
  }
}
