import RealModule

/// The regularised incomplete beta function I_x(a, b): the distribution of a beta variable.
enum IncompleteBeta {
  /// - Parameters:
  ///   - x: from 0 to 1.
  ///   - a: positive.
  ///   - b: positive.
  static func value(_ x: Double, _ a: Double, _ b: Double) -> Double {
    guard x > 0 else { return 0 }
    guard x < 1 else { return 1 }
    // The fraction converges fast below the mean; above it the function is reflected.
    if x > (a + 1) / (a + b + 2) { return 1 - value(1 - x, b, a) }
    let front =
      Double.logGamma(a + b) - Double.logGamma(a) - Double.logGamma(b) + a * Double.log(x)
      + b * Double.log(onePlus: -x)
    return Double.exp(front) / (a * fraction(x, a, b))
  }

  /// The continued fraction DLMF 8.17.22, by the modified method of Lentz.
  private static func fraction(_ x: Double, _ a: Double, _ b: Double) -> Double {
    let tiny = 1e-300
    func kept(_ value: Double) -> Double { abs(value) < tiny ? tiny : value }
    var (value, c, d) = (1.0, 1.0, 0.0)
    for step in 1...100_000 {
      let m = Double(step / 2)
      let numerator =
        step % 2 == 0
        ? m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        : -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
      d = 1 / kept(1 + numerator * d)
      c = kept(1 + numerator / c)
      value *= c * d
      if abs(c * d - 1) < 1e-15 { break }
    }
    return value
  }

  /// The x at which the function has a value: bisection, which nothing leads astray.
  static func inverse(_ p: Double, _ a: Double, _ b: Double) -> Double {
    var (low, high) = (0.0, 1.0)
    for _ in 0..<1100 {
      let middle = (low + high) / 2
      if middle == low || middle == high { break }
      if value(middle, a, b) < p { low = middle } else { high = middle }
    }
    return high
  }
}
