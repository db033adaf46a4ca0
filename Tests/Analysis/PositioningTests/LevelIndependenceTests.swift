import Foundation
import TestSupport
import Testing

@testable import Positioning

struct LevelIndependenceTests {
  @Test(arguments: [0.05, 0.4, 2], [0.2, 0.5, 1])
  func `a long run of readings has the effective sample size of its mean`(
    interval: Double, share: Double
  ) {
    let independence = LevelIndependence(speed: 1)
    // Variance of the mean of n readings: common part correlated as exp(-t / τ), own part
    // independent.
    let n = 20_000
    var sum = 0.0
    for lag in 1..<n {
      sum += 2 * Double(n - lag) * exp(-Double(lag) * interval / LevelIndependence.decorrelation)
    }
    let variance = (share * (Double(n) + sum) + (1 - share) * Double(n)) / Double(n * n)
    let each = independence.worth(after: interval, packets: 1, commonShare: share)
    #expect(isClose(Double(n) * each * variance, 1, absolute: 0.01))
  }

  @Test func `packets at one place add nothing that they have in common`() {
    let still = LevelIndependence(speed: 0)
    #expect(still.worth(after: 5, packets: 1) == 0)
    #expect(isClose(still.worth(after: nil, packets: 1), 1, absolute: 1e-12))
    #expect(
      isClose(still.worth(after: nil, packets: 1_000_000, commonShare: 0.25), 4, absolute: 1e-4))
    #expect(still.silence(for: 10).worth == 0)
    let walking = LevelIndependence(speed: 1)
    let place = 2 * LevelIndependence.decorrelation
    #expect(walking.silence(for: 100).worth == 1 && walking.silence(for: 100).seconds == 100)
    #expect(isClose(walking.silence(for: place / 4).worth, 0.25, absolute: 1e-12))
  }
}
