import Geometry
import NumericalMethods
import Positioning
import TestSupport
import Testing

@testable import Evaluation

struct ClaimedUncertaintyTests {
  /// Ten traces of Gaussian errors with one covariance, which is claimed times a factor.
  private static func score(
    claimed factor: Double, bound: Double = 1, space: Bool = false, count: Int = 400
  ) -> Score {
    var generator = SeededGenerator(seed: 7)
    let covariance = Covariance(
      xx: 4 * factor, xy: 1 * factor, yy: 1.25 * factor,
      vertical: space ? .init(xz: 0, yz: 0.5 * factor, zz: 4.25 * factor) : nil)
    var (traces, outcomes) = ([EvaluatedTrace](), [[Outcome]]())
    for trace in 0..<10 {
      var said: [Outcome] = []
      let questions = (0..<count).map { _ in
        let (u, v, w) = (generator.gaussian(), generator.gaussian(), generator.gaussian())
        said.append(located(2 * u, 0.5 * u + v, covariance, z: space ? 0.5 * v + 2 * w : nil))
        return Question(
          instant: 0, asked: 0, truth: Point(x: 0, y: 0), truthHeight: space ? 0 : nil,
          bound: Covariance(xx: 4 * bound, xy: bound, yy: 1.25 * bound))
      }
      traces.append(EvaluatedTrace(name: "\(trace)", questions: questions))
      outcomes.append(said)
    }
    return Score(
      AlgorithmAnswers(name: "a", outcomes: outcomes), traces: traces,
      bootstrap: TraceBootstrap(resamples: 500))
  }

  @Test(arguments: [false, true])
  func `right covariances contain the truth as often as claimed`(space: Bool) throws {
    let score = Self.score(claimed: 1, space: space)
    let claims = try #require(space ? score.spaceClaims : score.claims)
    #expect(claims.dimensions == (space ? 3 : 2) && claims.count == 4000 && claims.singular == 0)
    #expect(claims.coverages.map(\.claimed) == [0.5, 0.9, 0.95])
    for coverage in claims.coverages {
      // Four standard deviations of 4,000 trials.
      let four = 4 * (coverage.claimed * (1 - coverage.claimed) / 4000).squareRoot()
      #expect(abs(coverage.share - coverage.claimed) < four)
      let byTrace = try #require(coverage.byTrace.interval)
      #expect(byTrace.lower < coverage.share && coverage.share < byTrace.upper)
      #expect(coverage.exact.lower < coverage.share && coverage.share < coverage.exact.upper)
    }
    let mean = try #require(claims.meanNEES)
    #expect(isClose(mean, Double(claims.dimensions), absolute: 0.15))
    let median = try #require(claims.medianNEES)
    #expect(
      isClose(
        median, ChiSquaredDistribution(degreesOfFreedom: Double(claims.dimensions)).quantile(0.5),
        absolute: 0.12))
    #expect((score.spaceClaims == nil) == !space)
  }

  @Test func `covariances a quarter of the right ones hold it far too seldom`() throws {
    let claims = try #require(Self.score(claimed: 0.25).claims)
    // P(chi-squared of 2 < 5.99 / 4) = 1 - 0.05^(1/4).
    #expect(isClose(claims.coverages[2].share, 0.527, absolute: 0.03))
    #expect(claims.coverages[2].exact.upper < 0.6)
    #expect(isClose(try #require(claims.meanNEES), 8, absolute: 0.5))
  }

  @Test func `singular covariances are counted, and hold nothing`() throws {
    let said = AlgorithmAnswers(
      name: "a",
      outcomes: [
        [
          located(1, 2, Covariance(xx: 1, xy: 1, yy: 1)),
          located(1, 2, Covariance(xx: 0, xy: 0, yy: 0)),
          located(1, 2, Covariance(xx: .nan, xy: 0, yy: 1)),
          located(1, 2, Covariance(xx: 1, xy: 0, yy: 1)),
          located(1, 2),
        ]
      ])
    let claims = try #require(Score(said, traces: questions([5])).claims)
    #expect(claims.count == 4 && claims.singular == 3)
    #expect(claims.coverages.map(\.held) == [1, 1, 1] && claims.meanNEES == 0)
  }

  @Test func `errors as large as the bound have an efficiency of 1`() throws {
    let full = try #require(Self.score(claimed: 1).efficiency)
    #expect(full.bounded == 4000 && full.count == 4000 && full.share == 1)
    #expect(isClose(full.meanSquare, 1, absolute: 0.08) && isClose(full.median, 1, absolute: 0.1))
    #expect(isClose(full.boundRMS, 5.25.squareRoot()))
    #expect(isClose(full.meanSquare, (full.boundRMS / full.rms) * (full.boundRMS / full.rms)))
    let interval = try #require(full.interval.interval)
    #expect(interval.lower < full.meanSquare && full.meanSquare < interval.upper)
    let half = try #require(Self.score(claimed: 1, bound: 0.5).efficiency)
    #expect(isClose(half.meanSquare, full.meanSquare / 2) && isClose(half.median, full.median / 2))
  }

  @Test func `questions without a bound or an answer do not count for the efficiency`() throws {
    var traces = questions([4])
    for index in 0..<3 { traces[0].questions[index].bound = Covariance(xx: 2, xy: 0, yy: 2) }
    let efficiency = try #require(
      Score(answers("a", [[1, 2, nil, 50]]), traces: traces).efficiency)
    #expect(efficiency.bounded == 3 && efficiency.count == 2 && efficiency.share == 0.75)
    #expect(isClose(efficiency.meanSquare, 8 / 5.0))
    // Scores 1/2 and 2, so the median is 1.25.
    #expect(isClose(efficiency.median, 1.3862943611198906 / 1.25))
  }
}

struct ShareIntervalTests {
  @Test func `if all traces hold everything or nothing, the interval is that of trials`() throws {
    // (1/40)^(1/9): nine successes of nine.
    let least = 0.6637328831200572
    let counts = Array(repeating: 20, count: 9)
    let intervals = TraceBootstrap(resamples: 100).shareIntervals(
      [counts, counts.map { _ in 0 }, [19] + counts.dropFirst()], of: counts)
    let all = try #require(intervals[0].interval)
    #expect(isClose(all.lower, least, absolute: 1e-9) && all.upper == 1)
    let none = try #require(intervals[1].interval)
    #expect(none.lower == 0 && isClose(none.upper, 1 - least, absolute: 1e-9))
    let most = try #require(intervals[2].interval)
    #expect(most.lower > 0.9 && most.lower < 1)
  }
}
