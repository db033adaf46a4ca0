import Testing

@testable import TracePipelines

@Suite("Latencies in fixed buckets") struct LatencyHistogramTests {
  private static let millisecond: Int64 = 1_000_000

  @Test func `counts each time up to its bound`() {
    var histogram = LatencyHistogram()
    for bound in LatencyHistogram.bounds {
      histogram.add(bound)
      histogram.add(bound + 1, count: 2)
    }
    // Of the three of each bound, two are above it.
    for (index, count) in histogram.cumulative.dropLast().enumerated() {
      #expect(count == UInt64(3 * index + 1))
    }
    let all = UInt64(3 * LatencyHistogram.bounds.count)
    #expect(histogram.cumulative.last == all && histogram.count == all)
    let sum: Int64 = LatencyHistogram.bounds.reduce(0) { sum, bound in sum + 3 * bound + 2 }
    #expect(histogram.sum == UInt64(sum))
  }

  @Test func `a time before the reception counts as 0`() {
    var histogram = LatencyHistogram()
    histogram.add(-Self.millisecond)
    histogram.add(.min)
    #expect(histogram.cumulative.first == 2 && histogram.sum == 0)
    histogram.add(.max, count: 0)
    #expect(histogram.count == 2)
  }

  @Test func `leaves out what is not of the present`() {
    var histogram = LatencyHistogram()
    let now = 1_767_225_600_000_000_000 as Int64
    histogram.add(
      [now, now - 60_000_000_000, now - 60_000_000_001, now + 61_000_000_000, 0, .min, .max],
      at: now)
    #expect(histogram.count == 2 && histogram.sum == 60_000_000_000)
  }

  @Test func `a board takes one value per tenth of a second`() {
    let board = MetricsBoard()
    func metrics(_ sightings: UInt64) -> StageMetrics {
      var metrics = StageMetrics()
      metrics.sightings = sightings
      return metrics
    }
    var made = 0
    for now in stride(from: 0, to: 1000, by: 10) as StrideTo<Int64> {
      board.publish(
        at: now * Self.millisecond,
        {
          made += 1
          return metrics(UInt64(now))
        }())
    }
    #expect(made == 10 && board.current.sightings == 900)
    board.publish(metrics(1))
    #expect(board.current.sightings == 1)
  }
}
