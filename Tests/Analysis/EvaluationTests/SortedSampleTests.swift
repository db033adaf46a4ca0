import Evaluation
import TestSupport
import Testing

struct SortedSampleTests {
  @Test func `ends are the extremes, and quantiles never fall`() throws {
    var generator = SeededGenerator(seed: 3)
    for count in 1..<40 {
      let values = (0..<count).map { _ in Double.random(in: -5..<5, using: &generator) }
      let sample = SortedSample(values)
      #expect(sample.quantile(0) == values.min())
      #expect(sample.quantile(1) == values.max())
      let quantiles = stride(from: 0.0, through: 1, by: 0.01).map { sample.quantile($0)! }
      #expect(quantiles == quantiles.sorted())
    }
    #expect(SortedSample([]).quantile(0.5) == nil)
  }

  @Test func `lies between order statistics in proportion`() throws {
    let sample = SortedSample([40, 10, 20, 30])
    #expect(isClose(try #require(sample.quantile(0.5)), 25))
    #expect(isClose(try #require(sample.quantile(0.75)), 32.5))
    #expect(isClose(try #require(sample.quantile(0.9)), 37))
  }
}
