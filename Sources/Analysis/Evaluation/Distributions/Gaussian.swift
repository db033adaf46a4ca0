import RealModule

/// The standard Gaussian distribution.
enum Gaussian {
  /// The probability of at most z.
  static func probability(_ z: Double) -> Double { Double.erfc(-z / 2.0.squareRoot()) / 2 }

  /// The value that is not exceeded with a probability between 0 and 1, by bisection to the last
  /// digit.
  static func quantile(_ p: Double) -> Double {
    precondition(p > 0 && p < 1, "a quantile needs a probability between 0 and 1")
    // The lower half has the digits.
    if p > 0.5 { return -quantile(1 - p) }
    var (low, high) = (-40.0, 0.0)
    while true {
      let middle = (low + high) / 2
      if middle == low || middle == high { return high }
      if probability(middle) < p { low = middle } else { high = middle }
    }
  }
}
