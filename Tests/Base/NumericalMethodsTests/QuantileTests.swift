import NumericalMethods
import TestSupport
import Testing

struct QuantileTests {
  @Test("agrees with scipy")
  func scipy() throws {
    let degrees: [Double] = [1, 2, 3, 4, 5, 7, 10, 18, 30, 100, 398, 1e3, 1e4, 1e6]
    let probabilities = [0.005, 0.025, 0.3, 0.5, 0.6, 0.9, 0.975, 0.995, 0.9995]
    let script = """
      from scipy.stats import t
      for n in rows[0]: answer(*t.ppf(rows[1], n))
      """
    let expected = try reference(script, [degrees, probabilities])
    try #require(expected.count == degrees.count)
    for (n, line) in zip(degrees, expected) {
      for (p, value) in zip(probabilities, line) {
        let mine = studentQuantile(p, degreesOfFreedom: n)
        #expect(
          isClose(mine, value, absolute: 1e-12, relative: 1e-8), "\(p) of \(n): \(mine), \(value)")
      }
    }
  }

  @Test("has Cauchy's and the normal distribution as its ends")
  func ends() {
    // tan(π (p - 1/2)), and the normal quantile of 0.975.
    #expect(
      isClose(studentQuantile(0.975, degreesOfFreedom: 1), 12.706204736174694, relative: 1e-9))
    #expect(
      isClose(studentQuantile(0.975, degreesOfFreedom: 1e9), 1.959963984540054, relative: 1e-7))
  }

  @Test("the tail of chi-square agrees with scipy")
  func chiSquare() throws {
    let degrees: [Double] = [1, 2, 3, 8, 9, 10, 30, 100]
    let values = [0, 0.001, 0.5, 1, 3.84, 9, 18.3, 60, 200]
    let script = """
      from scipy.stats import chi2
      for n in rows[0]: answer(*chi2.sf(rows[1], n))
      """
    let expected = try reference(script, [degrees, values])
    try #require(expected.count == degrees.count)
    for (n, line) in zip(degrees, expected) {
      for (x, tail) in zip(values, line) {
        #expect(isClose(chiSquareTail(x, degreesOfFreedom: n), tail, relative: 1e-9))
      }
    }
  }
}
