import NumericalMethods
import RealModule

/// A test of the whiteness of prediction errors (Ljung–Box).
///
/// If q and r are correct, the standardised errors v = e / √S of a filter are uncorrelated. Let
/// c(j) be the sum of products of v, less its mean, at lag j within a link, n(j) their number, and
/// ρ(j) = c(j) / c(0). Then
///
///     Q = n (n + 2) Σ ρ(j)² / n(j),   j = 1 … lags
///
/// is approximately chi-square. Its degrees of freedom are the lags, less one (but at least 1) if q
/// and r were fitted to the same levels: only their ratio affects the correlations. For one link
/// n(j) = n − j. Source: Ljung and Box, "On a measure of lack of fit in time series models", 1978;
/// Harvey, "Forecasting, structural time series models and the Kalman filter", 1989, section 5.4.2.
/// O(levels × lags).
package struct Whiteness: Equatable, Sendable {
  /// The number of lags: 10, or a fifth of the errors if that is less.
  package var lags: Int
  /// The statistic Q.
  package var statistic: Double
  package var degreesOfFreedom: Int
  /// The p-value: below 0.05 the levels do not follow the model.
  package var pValue: Double
  /// The mean of e² / S (normalised innovation squared): near 1 for suitable q and r.
  package var meanNIS: Double
  /// The lag-1 correlation ρ(1): above 0 if the filter is too slow, below 0 if it is too fast.
  package var lagOneCorrelation: Double

  /// Tests the whiteness for given noise, or returns `nil` for fewer than 5 errors, no two of them
  /// in one link, or errors that are all equal.
  ///
  /// - Parameters:
  ///   - links: The levels.
  ///   - q: The process noise in dB² per second, at least 0.
  ///   - r: The measurement noise in dB², above 0.
  ///   - areFitted: A Boolean value that is true if q and r were estimated from these levels.
  package init?(
    _ links: [NoiseEstimate.Link], q: Double, r: Double, areFitted: Bool = true
  ) {
    precondition(q >= 0 && r > 0, "expected q of at least 0 and r above 0, found \(q) and \(r)")
    let likelihood = NoiseLikelihood(links)
    let n = likelihood.count
    guard n >= 5 else { return nil }
    var errors = likelihood.standardizedErrors(q: q, r: r)
    meanNIS = errors.joined().reduce(0) { $0 + $1 * $1 } / Double(n)
    let mean = errors.joined().reduce(0, +) / Double(n)
    for link in errors.indices {
      for k in errors[link].indices { errors[link][k] -= mean }
    }
    let squares = errors.joined().reduce(0) { $0 + $1 * $1 }
    let longest = errors.reduce(0) { max($0, $1.count) }
    lags = min(10, n / 5, longest - 1)
    guard lags >= 1, squares > 0, squares.isFinite else { return nil }
    var sum = 0.0
    lagOneCorrelation = 0
    for lag in 1...lags {
      var products = 0.0
      var pairs = 0
      for link in errors where link.count > lag {
        for k in lag..<link.count { products += link[k] * link[k - lag] }
        pairs += link.count - lag
      }
      let correlation = products / squares
      if lag == 1 { lagOneCorrelation = correlation }
      sum += correlation * correlation / Double(pairs)
    }
    statistic = Double(n) * Double(n + 2) * sum
    degreesOfFreedom = areFitted ? max(1, lags - 1) : lags
    pValue = ChiSquaredDistribution(degreesOfFreedom: Double(degreesOfFreedom)).above(statistic)
  }
}
