package import NumericalMethods
import RealModule

/// The uncertainty of the maximum-likelihood noise.
///
/// The intervals are those of the profile likelihood: they contain each q for which, with its best
/// r, the log-likelihood is below that of the estimate by at most half the square of Student's
/// quantile with n − 2 degrees of freedom (n steps, two parameters); likewise for r. They may be
/// asymmetric, never leave the parameters' range and include q = 0 if no movement cannot be
/// rejected. Source: Pawitan, "In all likelihood", 2001, sections 3.4 and 9.3 (the end of a range).
///
/// The standard errors are from the curvature of the likelihood in log q and log r at the estimate
/// (observed information), transformed by the delta method.
package struct NoiseUncertainty: Equatable, Sendable {
  /// The standard error of q in dB² per second; NaN for q = 0, where the likelihood ends with a
  /// slope.
  package var qStandardError: Double
  /// The standard error of r in dB², for q = 0 that at fixed q; NaN if r is at its lower bound.
  package var rStandardError: Double
  /// The interval of q in dB² per second; it starts at 0 if q may be 0.
  package var q: Interval
  /// The interval of r in dB²; it starts at the lower bound if r may be there.
  package var r: Interval
}

extension NoiseEstimate {
  /// Estimates the noise that several links share, with its uncertainty, or returns `nil` if they
  /// have too few levels for an estimate; about half as much work again as the estimate.
  package static func withUncertainty(
    _ links: [Link]
  ) -> (estimate: NoiseEstimate, uncertainty: NoiseUncertainty)? {
    let likelihood = NoiseLikelihood(links)
    let search = likelihood.search()
    return NoiseEstimate(likelihood, search).map {
      ($0, $0.uncertainty(likelihood, search, confidence: 0.95))
    }
  }

  /// Returns the uncertainty of this estimate; about as much work as two estimates.
  ///
  /// - Parameters:
  ///   - links: The levels of the estimate.
  ///   - confidence: The coverage of the intervals.
  package func uncertainty(from links: [Link], confidence: Double = 0.95) -> NoiseUncertainty {
    let likelihood = NoiseLikelihood(links)
    return uncertainty(likelihood, likelihood.search(), confidence: confidence)
  }

  private func uncertainty(
    _ likelihood: NoiseLikelihood, _ search: NoiseSearch?, confidence: Double
  ) -> NoiseUncertainty {
    precondition(confidence > 0 && confidence < 1, "expected a confidence between 0 and 1")
    let errors = standardErrors(likelihood)
    var result = NoiseUncertainty(
      qStandardError: errors.q, rStandardError: errors.r, q: Interval(lower: q, upper: q),
      r: Interval(lower: r, upper: r))
    guard likelihood.count > 2 else { return result }
    let quantile = StudentTDistribution(degreesOfFreedom: Double(likelihood.count - 2))
      .quantile(0.5 + 0.5 * confidence)
    let region = LikelihoodRegion(
      likelihood, search, atLeast: logLikelihood - 0.5 * quantile * quantile)
    if let extent = region.extent(about: self) {
      // The search result equals the estimate except for rounding.
      result.q = Interval(lower: min(q, extent.q.lower), upper: max(q, extent.q.upper))
      result.r = Interval(lower: min(r, extent.r.lower), upper: max(r, extent.r.upper))
    }
    return result
  }

  /// Returns the standard errors from L = −½ (n log r + S(log q − log r) / r + D(log q − log r)),
  /// with the sums S and D of ``NoiseLikelihood/sums(_:)`` differentiated by central differences of
  /// the sixth order.
  private func standardErrors(_ likelihood: NoiseLikelihood) -> (q: Double, r: Double) {
    let n = Double(likelihood.count)
    let isLeastR = r <= likelihood.leastR
    guard q > 0 else { return (.nan, isLeastR ? .nan : r * (2 / n).squareRoot()) }
    let step = 0.1
    let center = Double.log(q / r)
    typealias Lanes = NoiseLikelihood.Lanes
    let below = likelihood.sums(NoiseLikelihood.exp(center + step * Lanes(-3, -2, -1, 0)))
    let above = likelihood.sums(NoiseLikelihood.exp(center + step * Lanes(0, 1, 2, 3)))
    func derivatives(_ below: Lanes, _ above: Lanes) -> (first: Double, second: Double) {
      let first = (below * Lanes(-1, 9, -45, 0) + above * Lanes(0, 45, -9, 1)).sum()
      let second = (below * Lanes(2, -27, 270, -245) + above * Lanes(-245, 270, -27, 2)).sum()
      return (first / (60 * step), second / (180 * step * step))
    }
    let s = derivatives(below.squares / r, above.squares / r)
    let d = derivatives(below.logSpread, above.logSpread)
    let qq = 0.5 * (s.second + d.second)
    let qr = -0.5 * (s.second + d.second + s.first)
    let rr = 0.5 * (above.squares[0] / r + 2 * s.first + s.second + d.second)
    // With r at its bound only q is free.
    guard !isLeastR else { return (qq > 0 ? q / qq.squareRoot() : .nan, .nan) }
    let determinant = qq * rr - qr * qr
    guard determinant > 0, qq > 0 else { return (.nan, .nan) }
    return (q * (rr / determinant).squareRoot(), r * (qq / determinant).squareRoot())
  }
}

extension SIMD4<Double> {
  fileprivate func sum() -> Double { self[0] + self[1] + self[2] + self[3] }
}
