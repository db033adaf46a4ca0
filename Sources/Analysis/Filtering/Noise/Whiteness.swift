import NumericalMethods
import RealModule

/// Whether the prediction errors of levels are the white noise they must be under the right q and
/// r.
///
/// The standardised errors v = e / √S of a filter with q and r should not resemble their
/// predecessors. With c(j) the sum of products of v, less its mean, j levels apart within a link,
/// and n(j) their number, ρ(j) = c(j) / c(0) and
///
///     Q = n (n + 2) Σ ρ(j)² / n(j),   j = 1 … lags
///
/// is near a chi-square. Its degrees of freedom are the lags, less one (but at least 1) where q and
/// r were fitted to the same levels: their ratio alone shapes the correlations, their size does
/// not. For one link n(j) = n − j. Source: Ljung and Box, "On a measure of lack of fit in time
/// series models", 1978; Harvey, "Forecasting, structural time series models and the Kalman
/// filter", 1989, section 5.4.2. O(levels × lags).
package struct Whiteness: Equatable, Sendable {
  /// 10, or a fifth of the errors where that is less.
  package var lags: Int
  /// Q.
  package var statistic: Double
  package var degreesOfFreedom: Int
  /// How often white noise has so large a Q: below 0.05 the levels do not wander as the model
  /// states.
  package var pValue: Double
  /// The mean of e² / S (normalised innovation squared): near 1 where q and r suit the levels.
  package var meanNIS: Double
  /// ρ(1): above 0 where the filter follows too slowly, below 0 where it follows too fast.
  package var lagOneCorrelation: Double

  /// The whiteness under given noise, or nil where there are fewer than 5 errors, no two of them in
  /// one link, or all the same.
  ///
  /// - Parameters:
  ///   - links: the levels.
  ///   - q: process noise, dB² per second, at least 0.
  ///   - r: measurement noise, dB², above 0.
  ///   - areFitted: whether q and r were estimated from these levels.
  package init?(
    _ links: [NoiseEstimate.Link], q: Double, r: Double, areFitted: Bool = true
  ) {
    precondition(q >= 0 && r > 0, "q is at least 0 and r above 0, not \(q) and \(r)")
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
