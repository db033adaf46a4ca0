import Evaluation
import Geometry
import NumericalMethods
import Positioning
import TestSupport
import Testing

struct ClockOffsetTests {
  private static let second = 1_000_000_000.0

  /// Walks along a square, estimated every half second by a clock that is behind the truth's.
  private static func tracks(_ count: Int, behind: Double, noise: Double, side: Double = 6)
    -> [EstimatedTrack]
  {
    var generator = SeededGenerator(seed: 8)
    return (0..<count).map { _ in
      let corners = [(0.0, 0.0), (side, 0), (side, side), (0, side), (0, 0)]
      let truth = TruthPath(
        corners.enumerated().map {
          .init(time: Int64(Double($0) * 6 * second), position: Point(x: $1.0, y: $1.1))
        })
      let estimates = stride(from: 0.0, through: 24, by: 0.5).compactMap {
        time -> EstimatedTrack.Place? in
        guard let place = truth.position(at: Int64((time - behind) * second)) else { return nil }
        return EstimatedTrack.Place(
          time: Int64(time * second),
          position: Point(
            x: place.x + noise * generator.gaussian(), y: place.y + noise * generator.gaussian()))
      }
      return EstimatedTrack(estimates: estimates, truth: truth)
    }
  }

  @Test(arguments: [-1.75, 0, 0.8, 2.5])
  func `finds the offset of exact estimates`(behind: Double) throws {
    let offset = try #require(ClockOffset(Self.tracks(2, behind: behind, noise: 0)))
    #expect(isClose(offset.offset, behind, absolute: 0.01))
    #expect(offset.rmsAfter < 0.01 && (behind == 0) == (offset.rmsBefore < 0.01))
    #expect(!offset.isAtTheEnd)
    #expect(offset.interval == .unavailable(.tooFewTraces(2, needed: 5)))
  }

  @Test func `finds the offset in noise of a metre, within its interval`() throws {
    let offset = try #require(
      ClockOffset(
        Self.tracks(12, behind: 1.3, noise: 1), bootstrap: TraceBootstrap(resamples: 500)))
    let interval = try #require(offset.interval.interval)
    #expect(isClose(offset.offset, 1.3, absolute: 0.4))
    #expect(interval.lower < 1.3 && 1.3 < interval.upper && interval.upper - interval.lower < 1.5)
    #expect(offset.rmsAfter < offset.rmsBefore)
  }

  @Test func `notes that the offset may be beyond the tried range`() throws {
    #expect(try #require(ClockOffset(Self.tracks(2, behind: 4, noise: 0), upTo: 2)).isAtTheEnd)
  }

  @Test func `there is none where the truth stands, or is too short`() {
    #expect(ClockOffset(Self.tracks(6, behind: 1, noise: 1, side: 0)) == nil)
    #expect(ClockOffset(Self.tracks(6, behind: 0, noise: 1), upTo: 30) == nil)
    #expect(ClockOffset([]) == nil)
  }

  @Test func `the lag of answers behind the truth is measured on request`() throws {
    var questions: [Question] = []
    var outcomes: [Outcome] = []
    for step in 0..<100 {
      let time = Int64(step) * 500_000_000
      let (x, late) = (Double(step) * 0.5, max(0, Double(step) * 0.5 - 1.5))
      questions.append(
        Question(
          instant: time, asked: time, truth: Point(x: x, y: 0), velocity: Velocity(x: 1, y: 0)))
      outcomes.append(located(late, 0))
    }
    let said = AlgorithmAnswers(name: "a", outcomes: [outcomes])
    let traces = [
      EvaluatedTrace(
        name: "t",
        questions: questions.map {
          var question = $0
          question.newest = question.instant
          return question
        })
    ]
    let score = Score(said, traces: traces, measuresLag: true)
    #expect(isClose(try #require(score.latency?.lag).offset, 1.5, absolute: 0.01))
    #expect(Score(said, traces: traces).latency?.lag == nil)
  }
}
