import PathLoss
import TestSupport
import Testing

struct CoverageTests {
  /// How many of 400 simulated calibrations have the true exponent in their 95 % interval.
  private func covered(_ reduce: ([Reading]) -> [Reading]) -> Int {
    var generator = SeededGenerator(seed: 2024)
    return (0..<400).count { _ in
      let interval = fitted(reduce(readings(&generator))).exponentInterval
      guard let interval else { return false }
      return interval[0] <= 2.2 && 2.2 <= interval[1]
    }
  }

  /// Four standard errors of a share of 0.95 in 400: √(0.95 × 0.05 / 400) = 0.0109.
  private let expected = 363...397

  @Test("intervals by position cover the true exponent about as often as they say")
  func clustered() {
    let count = covered { $0 }
    print("clustered by position: \(count) of 400 intervals cover the exponent")
    #expect(expected.contains(count))
  }

  @Test("so do the intervals of a fit to the mean of each position")
  func means() {
    let count = covered { readings in
      Dictionary(grouping: readings, by: \.position).values.map { here in
        var mean = here[0]
        mean.rssi = here.map(\.rssi).reduce(0, +) / Double(here.count)
        return mean
      }
    }
    print("means of positions: \(count) of 400 intervals cover the exponent")
    #expect(expected.contains(count))
  }

  @Test("intervals that take every packet as independent do not")
  func independentPackets() {
    // With 19 fellows at correlation 16 / 25 a packet's share of the variance is 13.2 times what it
    // seems: the interval has 0.28 of its length, and covers in 41 % of cases.
    let count = covered { readings in
      readings.enumerated().map { index, one in
        Reading(rssi: one.rssi, distance: one.distance, position: UInt64(index))
      }
    }
    print("every packet by itself: \(count) of 400 intervals cover the exponent")
    #expect((125...205).contains(count))
  }
}
