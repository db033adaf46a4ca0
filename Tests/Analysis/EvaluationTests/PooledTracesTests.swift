import NumericalMethods
import TestSupport
import Testing

@testable import Evaluation

struct PooledTracesTests {
  @Test(arguments: [(1, 1), (5, 3), (9, 400), (70, 20), (300, 7)])
  func `quantiles of draws are those of the drawn traces put together`(
    traces count: Int, length: Int
  ) {
    var generator = SeededGenerator(seed: UInt64(count))
    // Whole numbers among them, so that values are equal within and between traces.
    let traces = (0..<count).map { trace in
      (0..<(length + trace % 5)).map { index in
        let value = Double.random(in: 0..<20, using: &generator)
        return index % 3 == 0 ? value.rounded() : value
      }
    }
    let pooled = PooledTraces(traces)
    let shares = [0, 0.01, 0.5, 0.75, 0.95, 1]
    var blocks = shares.map { _ in 0 }
    var random = SplitMix64(seed: 3)
    for _ in 0..<40 {
      let draw = pooled.draw(from: &random)
      #expect(draw.times.reduce(0, +) == Int32(count))
      let drawn = SortedSample(
        zip(traces, draw.times).flatMap { values, times in
          (0..<times).flatMap { _ in values }
        })
      #expect(draw.total == drawn.values.count)
      for (index, share) in shares.enumerated() {
        #expect(pooled.quantile(share, of: draw, near: &blocks[index]) == drawn.quantile(share))
      }
    }
    let whole = SortedSample(traces.joined())
    #expect(pooled.quantile(0.9, of: pooled.eachOnce(), near: &blocks[0]) == whole.quantile(0.9))
  }
}
