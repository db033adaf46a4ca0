import Evaluation
import Foundation
import NumericalMethods
import TestSupport
import Testing

struct TraceBootstrapTests {
  private func traces(_ count: Int, epochs: ClosedRange<Int>, seed: UInt64) -> [[Double]] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { _ in
      let shift = Double.random(in: 0..<3, using: &generator)
      return (0..<Int.random(in: epochs, using: &generator)).map { _ in
        shift + Double.random(in: 0..<1, using: &generator)
      }
    }
  }

  @Test func `the same seed gives the same interval, another seed another`() {
    let data = traces(6, epochs: 5...9, seed: 1)
    let one = TraceBootstrap(seed: 7).intervals(ofQuantiles: [0.5], traces: data)
    #expect(one == TraceBootstrap(seed: 7).intervals(ofQuantiles: [0.5], traces: data))
    #expect(one != TraceBootstrap(seed: 8).intervals(ofQuantiles: [0.5], traces: data))
  }

  @Test func `needs five traces with values, with a note`() {
    for (data, count) in [
      ([[1.0, 2, 3]], 1), ([], 0), ([[], [1.0], []], 1), ([[1], [2], [3], [4]], 4),
    ] {
      let outcome = TraceBootstrap().intervals(ofQuantiles: [0.5, 0.75], traces: data)
      #expect(outcome == Array(repeating: .unavailable(.tooFewTraces(count, needed: 5)), count: 2))
    }
    #expect(
      IntervalOutcome.Reason.tooFewTraces(1, needed: 5).description
        == "no interval: 1 trace has answers, which is too few (at least 5); record more traces")
  }

  @Test func `equal traces leave no doubt, and errors of nothing have no logarithm`() throws {
    for value in [0, 2.5] {
      let equal = Array(repeating: [value, value], count: 6)
      #expect(
        TraceBootstrap().intervals(ofQuantiles: [0.5], traces: equal)
          == [.interval(Interval(lower: value, upper: value))])
    }
    let exact = [[0.0], [0], [0], [0], [1.0], [2]]
    let interval = try #require(
      TraceBootstrap().intervals(ofQuantiles: [0.5], traces: exact)[0].interval)
    #expect(interval.lower == 0 && interval.upper > 0 && interval.upper < 2)
  }

  @Test
  func `traces are drawn, not epochs: more epochs alike do not shorten the interval`() throws {
    let few = [[1.0], [2], [3], [4], [5]]
    let many = few.map { Array(repeating: $0[0], count: 1000) }
    let narrow = try #require(
      TraceBootstrap(resamples: 2000).intervals(ofQuantiles: [0.5], traces: many)[0].interval)
    let wide = try #require(
      TraceBootstrap(resamples: 2000).intervals(
        ofQuantiles: [0.5], traces: few)[0].interval)
    #expect(narrow == wide)
    #expect(narrow.upper - narrow.lower >= 2)
  }

  @Test
  func `agrees with numpy's quantiles of concatenated draws, to the error of drawing`() throws {
    let data = traces(8, epochs: 3...30, seed: 2)
    let expected = try reference(
      """
      from scipy import stats
      rng = np.random.default_rng(5)
      n = len(rows)
      q = np.quantile(np.concatenate(rows), [0.5, 0.75])
      draws = np.array([
          np.quantile(np.concatenate([rows[i] for i in rng.integers(0, n, n)]), [0.5, 0.75])
          for _ in range(20000)])
      half = stats.t.ppf(0.975, n - 1) * np.sqrt(n / (n - 1)) * np.log(draws).std(axis=0, ddof=1)
      for k in range(2): answer(q[k] / np.exp(half[k]), q[k] * np.exp(half[k]))
      """, data)
    let mine = TraceBootstrap(resamples: 8000).intervals(ofQuantiles: [0.5, 0.75], traces: data)
    for (outcome, theirs) in zip(mine, expected) {
      let interval = try #require(outcome.interval)
      #expect(isClose(interval.lower, theirs[0], relative: 0.03))
      #expect(isClose(interval.upper, theirs[1], relative: 0.03))
    }
  }

  @Test(arguments: [8, 25])
  func `covers the true median about as often as claimed, with few traces too`(count: Int) throws {
    var covered = 0
    let bootstrap = TraceBootstrap(resamples: 200)
    for seed in 0..<300 {
      let data = traces(count, epochs: 10...10, seed: 1000 + UInt64(seed))
      // The median of U(0, 3) + U(0, 1) is 2.
      let interval = try #require(bootstrap.intervals(ofQuantiles: [0.5], traces: data)[0].interval)
      if interval.lower <= 2 && 2 <= interval.upper { covered += 1 }
    }
    // 95 % of 300 is 285, with a standard deviation of 4; a bootstrap of epochs covers about half.
    #expect(covered > 270, "\(covered)")
  }
}
