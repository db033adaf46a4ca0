import Evaluation
import Geometry
import NumericalMethods
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
    #expect(floors.all.asked == 6 && floors.all.right == 3 && floors.all.rate == 0.5)
    // Errors 1, 2 + 2 × 15, 3 and 4 m.
    #expect(floors.all.penalised?.max == 32 && floors.all.penalised?.mean == 10)
    #expect(floors.onRightFloor?.max == 4)
    #expect(floors.claims.map(\.answered) == [1, 1, 0, 1])
    #expect(floors.claims.map(\.rate) == [1, 0, nil, 1])
    #expect(floors.all.interval == .unavailable(.tooFewTraces(1, needed: 5)))
  }

  @Test func `questions are divided by received levels and by distance from the survey`() throws {
    // Of each question: its levels, its distance from the survey, the answer's floor and its error.
    let asked: [(levels: Int, distance: Double?, floor: Int?, error: Double)] = [
      (0, 0, 0, 1), (1, 2, 0, 2), (4, 2.5, 1, 3), (5, 4, 0, 4), (9, 4.5, nil, 0), (10, 4, 0, 6),
      (10, 8, 2, 7), (99, 3, 1, 8), (99, nil, 0, 9),
    ]
    let questions = asked.map {
      Question(
        instant: 0, asked: 0, truth: Point(x: 0, y: 0), truthFloor: 0, recentLevels: $0.levels,
        surveyDistance: $0.distance)
    }
    let outcomes = asked.map {
      $0.floor == nil ? .refused(.tooFewAnchors) : answer($0.error, floor: $0.floor)
    }
    // Five traces with the same answers.
    let score = Score(
      AlgorithmAnswers(name: "x", outcomes: Array(repeating: outcomes, count: 5)),
      traces: (0..<5).map { EvaluatedTrace(name: "t\($0)", questions: questions) },
      floors: ["a", "b", "c"])
    let floors = try #require(score.floors)
    #expect(floors.byLevels.map(\.limits) == [0...0, 1...4, 5...9, 10...(.infinity)])
    #expect(floors.byLevels.map(\.asked) == [5, 10, 10, 20])
    #expect(floors.byLevels.map(\.answered) == [5, 10, 5, 20])
    #expect(floors.byLevels.map(\.right) == [5, 5, 5, 10])
    #expect(floors.byLevels.map(\.rate) == [1, 0.5, 0.5, 0.5])
    #expect(floors.byDistance.map(\.limits) == [0...2, 2...4, 4...8, 8...(.infinity)])
    // Nothing was surveyed on the floor of the last question.
    #expect(floors.byDistance.map(\.asked) == [10, 20, 10, 5])
    #expect(floors.byDistance.map(\.right) == [10, 10, 0, 5])
    #expect(floors.byDistance[2].errors?.median == 7)
    #expect(floors.byDistance[2].penalised?.max == 37)
    let rich = try #require(floors.rich)
    #expect(rich.asked == 10 && rich.right == 5)
    // Errors of 6 m on the right floor and of 8 m one floor off, five times each.
    #expect(rich.errors?.median == 7 && rich.errors?.p75 == 8 && rich.penalised?.p75 == 8 + 15)
    // Each draw of equal traces has the same share.
    #expect(rich.interval.interval == Interval(lower: 0.5, upper: 0.5))
    #expect(floors.all.asked == 45 && floors.all.errors?.max == 9)
  }

  @Test func `nothing is divided without levels in time and a survey`() throws {
    let question = Question(instant: 0, asked: 0, truth: Point(x: 0, y: 0), truthFloor: 0)
    let score = Score(
      AlgorithmAnswers(name: "x", outcomes: [[answer(1, floor: 0)]]),
      traces: [EvaluatedTrace(name: "t", questions: [question])], floors: ["a", "b"])
    let floors = try #require(score.floors)
    #expect(floors.byLevels.isEmpty && floors.byDistance.isEmpty && floors.rich == nil)
  }

  @Test func `is absent in one plane`() {
    let question = Question(instant: 0, asked: 0, truth: Point(x: 0, y: 0))
    let score = Score(
      AlgorithmAnswers(name: "x", outcomes: [[answer(1, floor: nil)]]),
      traces: [EvaluatedTrace(name: "t", questions: [question])])
    #expect(score.floors == nil)
  }
}
