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
    let units = ResampledUnits(count: count, owners: nil)
    var random = SplitMix64(seed: 3)
    for _ in 0..<40 {
      let draw = pooled.draw(units.draw(from: &random))
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
    #expect(pooled.quantile(0.9, of: pooled.eachOnce, near: &blocks[0]) == whole.quantile(0.9))
  }

  @Test func `blocks of several traces are drawn from drawn traces`() {
    // Trace 0 has the units 0, 2 and 3, trace 1 the units 1 and 4.
    let units = ResampledUnits(count: 5, owners: [0, 1, 0, 0, 1])
    var random = SplitMix64(seed: 4)
    var sizes: Set<Int32> = []
    for _ in 0..<100 {
      let times = units.draw(from: &random)
      let (first, second) = (times[0] + times[2] + times[3], times[1] + times[4])
      // Two draws of three units, of three and two, or of two and two.
      #expect([[6, 0], [3, 2], [0, 4]].contains([first, second]))
      sizes.insert(first)
    }
    #expect(sizes == [0, 3, 6] && units.independent == 2)
    // One trace in blocks is as many traces.
    #expect(ResampledUnits(count: 5, owners: [2, 2, 2, 2, 2]).independent == 5)
  }

  @Test func `degrees of freedom follow the component that varies`() {
    let units = ResampledUnits(count: 9, owners: [0, 0, 0, 1, 1, 1, 2, 2, 2])
    // Equal blocks within traces: only the traces vary.
    #expect(units.freedom([1, 1, 1, -2, -2, -2, 1, 1, 1]) == 2)
    // Equal traces: only their blocks vary.
    #expect(units.freedom([1, -1, 0, 1, -1, 0, 1, -1, 0]) == 6)
    let mixed = units.freedom([2, -1, 0, 1, -2, 1, 0, 1, -2])
    #expect(mixed > 2 && mixed < 8)
    #expect(ResampledUnits(count: 9, owners: nil).freedom([]) == 8)
  }
}
