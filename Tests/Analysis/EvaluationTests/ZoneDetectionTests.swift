import Evaluation
import Geometry
import Positioning
import Testing

struct ZoneDetectionTests {
  private static func square(_ name: String, _ x: Double, _ size: Double = 2) -> Polygon {
    Polygon(
      name: name,
      corners: [
        Point(x: x, y: 0), Point(x: x + size, y: 0), Point(x: x + size, y: size),
        Point(x: x, y: size),
      ])
  }

  @Test func `counts truths by estimated zone, with a row for outside`() throws {
    // Of overlapping zones the first counts: the hall is around both rooms.
    let zones = [Self.square("a", 0), Self.square("b", 2), Self.square("hall", 0, 5)]
    let truths: [Double] = [1, 1, 1, 3, 3, 4.5, 9]
    let said: [Double?] = [1, 3, 9, 3, nil, 1, 9]
    let questions = truths.enumerated().map {
      Question(instant: Int64($0), asked: Int64($0), truth: Point(x: $1, y: 1))
    }
    let answers = AlgorithmAnswers(
      name: "x", outcomes: [said.map { $0.map { located($0, 1) } ?? .refused(.notConverged) }])
    let score = Score(
      answers, traces: [EvaluatedTrace(name: "t", questions: questions)], zones: zones)
    let detection = try #require(score.zones)
    #expect(detection.zones == ["a", "b", "hall"])
    #expect(detection.counts == [[1, 1, 0, 1], [0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1]])
    #expect(detection.unanswered == [0, 1, 0, 0])
    #expect(detection.asked == 5 && detection.detected == 2 && detection.rate == 0.4)
    #expect(detection.interval == .unavailable(.tooFewTraces(1, needed: 5)))
    #expect(ISO18305(score).figures[0].value == 0.4)
  }
}
