import Foundation
import PathLoss
import TestSupport
import Testing

@Suite("Measured power extrapolated from other distances")
struct MeasuredPowerExtrapolatedTests {
  @Test func `agrees with scipy's regression of the poses' means`() throws {
    var generator = SeededGenerator(seed: 14)
    let benches = [[2, 4, 8], [0.5, 2, 2, 4, 4, 8, 8], [1.5, 3, 6, 12, 24]].map { distances in
      distances.map { (distance: $0, level: -58 - 22 * log10($0) + generator.gaussian()) }
    }
    let expected = try reference(
      """
      from scipy.stats import linregress, t
      for d, z in zip(rows[::2], rows[1::2]):
          line = linregress(-10 * np.log10(d), z)
          half = t.ppf(0.975, len(z) - 2) * line.intercept_stderr
          answer(line.intercept, line.intercept - half, line.intercept + half, line.slope)
      """, benches.flatMap { [$0.map(\.distance), $0.map(\.level)] })
    try #require(expected.count == benches.count)
    for (bench, numbers) in zip(benches, expected) {
      let fit = try ExtrapolatedPower.fit(bench).get()
      let interval = try #require(fit.interval)
      for (a, b) in zip([fit.measuredPower] + interval.limits + [fit.exponent], numbers) {
        #expect(isClose(a, b, relative: 1e-9), "\(a), \(b)")
      }
      #expect(fit.distances == Set(bench.map(\.distance)).count)
    }
  }

  @Test func `two poses give a value without an interval`() throws {
    let fit = try ExtrapolatedPower.fit([(2, -66), (4, -72)]).get()
    #expect(isClose(fit.measuredPower, -60) && fit.interval == nil)
  }

  @Test(arguments: [[], [2], [3, 3, 3]] as [[Double]])
  func `needs two distances`(distances: [Double]) {
    let result = ExtrapolatedPower.fit(distances.map { (distance: $0, level: -60) })
    #expect(throws: ExtrapolatedPower.Impossible.self) { try result.get() }
  }
}
