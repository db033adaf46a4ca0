import Evaluation
import TestSupport
import Testing

struct ErrorStatisticsTests {
  @Test(arguments: [1, 2, 3, 10, 101])
  func `agrees with numpy`(count: Int) throws {
    var generator = SeededGenerator(seed: UInt64(count))
    let errors = (0..<count).map { _ in Double.random(in: 0..<20, using: &generator) }
    let script = """
      import sys, numpy as np
      e = np.array([float(v) for v in sys.argv[1:]])
      q = np.quantile(e, [0.5, 0.67, 0.75, 0.9, 0.95])
      for v in [e.mean(), np.sqrt((e ** 2).mean()), *q, e.max()]: print(repr(float(v)))
      """
    let result = try runPython(script, errors.map { "\($0)" })
    let expected = result.output.split(separator: "\n").map { Double($0)! }
    try #require(expected.count == 8, "\(result.error)")
    let statistics = ErrorStatistics(errors: errors, asked: 2 * count)
    let s = try #require(statistics.errors)
    for (mine, numpy) in zip(
      [s.mean, s.rms, s.median, s.p67, s.p75, s.p90, s.p95, s.max], expected)
    {
      #expect(isClose(mine, numpy))
    }
    #expect(statistics.answered == count)
    #expect(statistics.availability == 0.5)
  }

  @Test func `has no errors where nothing was answered`() {
    let none = ErrorStatistics(errors: [], asked: 4)
    #expect(none.errors == nil && none.availability == 0 && none.asked == 4)
    #expect(ErrorStatistics(errors: [], asked: 0).availability == 0)
  }
}
