import Evaluation
import Foundation
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

  @Test("the same seed gives the same interval, another seed another")
  func deterministic() {
    let data = traces(6, epochs: 5...9, seed: 1)
    let one = TraceBootstrap(seed: 7).intervals(ofQuantiles: [0.5], traces: data)
    #expect(one == TraceBootstrap(seed: 7).intervals(ofQuantiles: [0.5], traces: data))
    #expect(one != TraceBootstrap(seed: 8).intervals(ofQuantiles: [0.5], traces: data))
  }

  @Test("needs five traces with values, and says so")
  func tooFew() {
    for (data, count) in [([[1.0, 2, 3]], 1), ([], 0), ([[], [1.0], []], 1), ([[1], [2], [3], [4]], 4)] {
      let outcome = TraceBootstrap().intervals(ofQuantiles: [0.5, 0.75], traces: data)
      #expect(outcome == Array(repeating: .unavailable(.tooFewTraces(count)), count: 2))
    }
    #expect(
      IntervalOutcome.Reason.tooFewTraces(1).description
        == "no interval: 1 of the traces have answers, and the variation between traces needs at "
        + "least 5; record more traces")
  }

  @Test("five constant traces give the exact distribution of the draw")
  func constantTraces() throws {
    // The median is the first trace's value where 3 or more of 5 draws hit it: 5.8 %, more than 2.5 %.
    let traces = [1.0, 2, 3, 4, 5].map { [$0, $0, $0] }
    let interval = try #require(
      TraceBootstrap().intervals(ofQuantiles: [0.5], traces: traces)[0].interval)
    #expect(interval == Interval(lower: 1, upper: 5))
  }

  @Test("traces are drawn, not epochs: more epochs alike do not shorten the interval")
  func clusters() throws {
    let few = [[1.0], [2], [3], [4], [5]]
    let many = few.map { Array(repeating: $0[0], count: 1000) }
    let narrow = try #require(
      TraceBootstrap().intervals(ofQuantiles: [0.5], traces: many)[0].interval)
    let wide = try #require(TraceBootstrap().intervals(ofQuantiles: [0.5], traces: few)[0].interval)
    #expect(narrow == wide)
    #expect(narrow.upper - narrow.lower >= 2)
  }

  @Test("agrees with numpy's quantiles of concatenated draws, to the error of drawing")
  func numpy() throws {
    let data = traces(8, epochs: 3...30, seed: 2)
    let script = """
      import sys, numpy as np
      traces = [np.array([float(v) for v in a.split(',')]) for a in sys.argv[1:]]
      rng = np.random.default_rng(5)
      draws = np.array([
          np.quantile(np.concatenate([traces[i] for i in rng.integers(0, len(traces), len(traces))]),
                      [0.5, 0.75]) for _ in range(40000)])
      for v in np.quantile(draws, [0.025, 0.975], axis=0).T.ravel(): print(repr(float(v)))
      print(*[repr(float(v)) for v in draws.std(axis=0)], sep=chr(10))
      """
    let result = try runPython(script, data.map { $0.map { "\($0)" }.joined(separator: ",") })
    let expected = result.output.split(separator: "\n").map { Double($0)! }
    try #require(expected.count == 6, "\(result.error)")
    let mine = TraceBootstrap(resamples: 40000).intervals(ofQuantiles: [0.5, 0.75], traces: data)
    for (index, outcome) in mine.enumerated() {
      let interval = try #require(outcome.interval)
      let tolerance = 0.05 * expected[4 + index]
      #expect(isClose(interval.lower, expected[2 * index], absolute: tolerance))
      #expect(isClose(interval.upper, expected[2 * index + 1], absolute: tolerance))
    }
  }

  @Test("covers the true median about as often as it says")
  func coverage() throws {
    var covered = 0
    let bootstrap = TraceBootstrap(resamples: 400)
    for seed in 0..<300 {
      let data = traces(25, epochs: 10...10, seed: 1000 + UInt64(seed))
      // The median of U(0, 3) + U(0, 1) is 2.
      let interval = try #require(bootstrap.intervals(ofQuantiles: [0.5], traces: data)[0].interval)
      if interval.lower <= 2 && 2 <= interval.upper { covered += 1 }
    }
    // 95 % of 300 is 285, with a standard deviation of 4; a bootstrap of epochs covers about half.
    #expect(covered > 265)
  }
}
