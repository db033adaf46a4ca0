import NumericalMethods

/// The distribution of Wilcoxon's signed-rank sum of n values that are as likely with either sign.
enum SignedRanks {
  /// Up to here the distribution is exact, beyond it a Gaussian with the same moments.
  static let exactCount = 100

  /// The least sum whose cumulative probability is at least p: as R's `qsignrank`.
  static func quantile(_ p: Double, count: Int) -> Int {
    let greatest = count * (count + 1) / 2
    guard count <= exactCount else {
      let n = Double(count)
      let deviation = (n * (n + 1) * (2 * n + 1) / 24).squareRoot()
      let place = Double(greatest) / 2 + NormalDistribution.quantile(p) * deviation
      return min(max(Int(place.rounded(.down)), 0), greatest)
    }
    var probabilities = [Double](repeating: 0, count: greatest + 1)
    probabilities[0] = 1
    for rank in 1...count {
      for sum in stride(from: rank * (rank + 1) / 2, through: 0, by: -1) {
        probabilities[sum] =
          (probabilities[sum] + (sum >= rank ? probabilities[sum - rank] : 0)) / 2
      }
    }
    var passed = 0.0
    for (sum, probability) in probabilities.enumerated() {
      passed += probability
      // The sums of powers of two are exact up to 53 ranks; beyond, rounding may not decide.
      if passed >= p * (1 - 1e-14) { return sum }
    }
    return greatest
  }
}
