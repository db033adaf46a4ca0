import Evaluation
import Geometry
import NumericalMethods
import Positioning
import Testing

struct ScoreTests {
  private let traces = questions([3, 2, 1])

  @Test func `pools the traces and counts refusals and missing covariances by reason`() {
    var said = answers("epta", [[1, nil, 2], [6, nil], [nil]])
    said.outcomes[2][0] = .refused(.collinearAnchors)
    said.outcomes[1][0] = located(7, 2, Covariance(xx: 1, xy: 0, yy: 1))
    let score = Score(said, traces: traces)
    #expect(score.statistics == ErrorStatistics(errors: [1, 2, 6], asked: 6))
    #expect(score.refusals == [.tooFewAnchors: 2, .collinearAnchors: 1])
    #expect(score.withoutCovariance == [.noErrorModel: 2])
    #expect(score.claims?.count == 1)
    #expect(score.intervals.median == .unavailable(.tooFewTraces(2, needed: 5)))
    #expect(score.traces.map(\.name) == ["walk-1", "walk-2", "walk-3"])
    #expect(score.traces.map(\.statistics.answered) == [2, 1, 0])
    #expect(score.traces[0].statistics.errors?.max == 2)
    #expect(
      score.isCausal && score.zones == nil && score.vertical == nil && score.efficiency == nil)
  }

  @Test func `five traces have intervals of all figures`() throws {
    let errors = (1...5).map { [Double($0), Double($0 + 1)] }
    let score = Score(answers("epta", errors), traces: questions(Array(repeating: 2, count: 5)))
    let summary = try #require(score.statistics.errors)
    for figure in ErrorFigure.allCases {
      let interval = try #require(score.intervals.of(figure).interval)
      #expect(interval.lower < figure.of(summary) && figure.of(summary) < interval.upper)
    }
  }

  @Test func `answers per second are counted between the first and the last of each trace`() {
    // Answers at 1 and 3 s, at 1 and 2 s, and a lonely one.
    let score = Score(answers("a", [[1, nil, 2], [1, 1], [1]]), traces: traces)
    #expect(score.updateRate == 2.0 / 3)
    #expect(Score(answers("a", [[1]]), traces: questions([1])).updateRate == nil)
  }

  @Test
  func `the age of the newest sighting is measured at the instant of answered questions`() throws {
    var traces = questions([4])
    for (index, age) in [100, 300, 900, nil].enumerated() {
      traces[0].questions[index].newest = age.map {
        traces[0].questions[index].instant - Int64($0) * 1_000_000
      }
    }
    let latency = try #require(Score(answers("a", [[1, 1, nil, 1]]), traces: traces).latency)
    #expect(latency.count == 2 && latency.lag == nil)
    #expect(abs(latency.medianAge - 0.2) < 1e-12 && abs(latency.p95Age - 0.29) < 1e-12)
    #expect(Score(answers("a", [[nil, nil, nil, nil]]), traces: traces).latency == nil)
  }

  @Test func `without answers there are only reasons`() {
    let score = Score(answers("a", [[nil, nil, nil], [nil, nil], [nil]]), traces: traces)
    #expect(score.statistics.errors == nil && score.vector == nil && score.claims == nil)
    #expect(score.refusals == [.tooFewAnchors: 6])
  }
}
