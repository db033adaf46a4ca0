import Evaluation
import Geometry
import Positioning
import Testing

struct FloorDetectionTests {
  private func answer(_ x: Double, floor: Int?, probabilities: [Double] = []) -> Outcome {
    var estimate = Estimate(
      position: Point(x: x, y: 0), uncertainty: .unavailable(.noErrorModel))
    (estimate.floor, estimate.floorProbabilities) = (floor, probabilities)
    return .located(estimate)
  }

  @Test func `counts floors, penalises wrong ones and sorts claims`() throws {
    let truths = [0, 0, 1, 2, 2, 2]
    let questions = truths.enumerated().map {
      Question(
        instant: Int64($0), asked: Int64($0), truth: Point(x: 0, y: 0), truthFloor: $1)
    }
    let outcomes: [Outcome] = [
      answer(1, floor: 0, probabilities: [0.96, 0.04, 0]),
      answer(2, floor: 2, probabilities: [0, 0.1, 0.9]),
      answer(3, floor: 1, probabilities: [0.3, 0.4, 0.3]), answer(4, floor: 2),
      .refused(.tooFewAnchors), answer(5, floor: nil),
    ]
    let score = Score(
      AlgorithmAnswers(name: "x", outcomes: [outcomes]),
      traces: [EvaluatedTrace(name: "t", questions: questions)], floors: ["a", "b", "c"])
    let floors = try #require(score.floors)
    #expect(floors.counts == [[1, 0, 1], [0, 1, 0], [0, 0, 1]])
    #expect(floors.unanswered == [0, 0, 2])
    #expect(floors.asked == 6 && floors.right == 3 && floors.rate == 0.5)
    // Errors 1, 2 + 2 × 15, 3 and 4 m.
    #expect(floors.penalised?.max == 32 && floors.penalised?.mean == 10)
    #expect(floors.onRightFloor?.max == 4)
    #expect(floors.claims.map(\.answered) == [1, 1, 0, 1])
    #expect(floors.claims.map(\.rate) == [1, 0, nil, 1])
    #expect(floors.interval == .unavailable(.tooFewTraces(1, needed: 5)))
  }

  @Test func `is absent in one plane`() {
    let question = Question(instant: 0, asked: 0, truth: Point(x: 0, y: 0))
    let score = Score(
      AlgorithmAnswers(name: "x", outcomes: [[answer(1, floor: nil)]]),
      traces: [EvaluatedTrace(name: "t", questions: [question])])
    #expect(score.floors == nil)
  }
}
