/// Student's t distribution.
enum StudentT {
  /// The value that is exceeded either way with a probability of 1 - confidence.
  static func twoSided(confidence: Double, degrees: Int) -> Double {
    precondition(confidence > 0 && confidence < 1 && degrees > 0, "a quantile needs freedom")
    let n = Double(degrees)
    // P(|T| > t) = I_x(n/2, 1/2) at x = n / (n + t²), DLMF 8.17: solved for 1 - x, which keeps its
    // digits.
    let rest = IncompleteBeta.inverse(confidence, 0.5, n / 2)
    return (n * rest / (1 - rest)).squareRoot()
  }
}
