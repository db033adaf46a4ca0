import RealModule

/// The chi-squared distribution with two or three degrees of freedom: of squared Gaussian errors in
/// the plane and in space.
enum ChiSquared {
  /// The probability of at most x.
  static func probability(_ x: Double, degrees: Int) -> Double {
    precondition(degrees == 2 || degrees == 3, "errors are in the plane or in space")
    guard x > 0 else { return 0 }
    if degrees == 2 { return -Double.expMinusOne(-x / 2) }
    return Double.erf((x / 2).squareRoot()) - (2 * x / .pi).squareRoot() * Double.exp(-x / 2)
  }

  /// The value that is not exceeded with a probability, below 1.
  static func quantile(_ p: Double, degrees: Int) -> Double {
    precondition(p >= 0 && p < 1, "a quantile needs a probability below 1")
    if degrees == 2 { return -2 * Double.log(onePlus: -p) }
    var (low, high) = (0.0, 1.0)
    while probability(high, degrees: degrees) < p { (low, high) = (high, 2 * high) }
    for _ in 0..<200 {
      let middle = (low + high) / 2
      if middle == low || middle == high { break }
      if probability(middle, degrees: degrees) < p { low = middle } else { high = middle }
    }
    return high
  }
}
