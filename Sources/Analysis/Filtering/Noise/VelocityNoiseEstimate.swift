import RealModule

/// The maximum-likelihood process and measurement noise of a level with a slope.
///
/// As for the random walk: with λ = q / r the filter runs with r = 1, r follows in closed form as
/// the mean of e² / S, and one search over log λ remains, a scan followed by golden sections. The
/// two levels that start a link, one for its level and one for its slope, do not count. r is never
/// below the variance of rounding alone, with the best q for it; if a constant slope is at least as
/// likely as any other, q is exactly 0. Source: Durbin and Koopman, "Time series analysis by state
/// space methods", sections 2.10.2 and 7.3. O(levels) per evaluation, about 60 evaluations.
package struct VelocityNoiseEstimate: Equatable, Sendable {
  /// The process noise, in dB² per second³.
  package var q: Double
  /// The measurement noise, in dB².
  package var r: Double
  /// The log-likelihood of a `VelocityFilter` with this noise, over all links.
  package var logLikelihood: Double

  /// Estimates the noise that several links share, or returns `nil` if they have fewer than 10
  /// levels besides those that start them, or no level ever changes.
  package init?(_ links: [NoiseEstimate.Link]) {
    let isConstant = links.allSatisfy { link in
      let levels = link.levels.filter(\.isFinite)
      return levels.allSatisfy { $0 == levels.first }
    }
    guard !isConstant, Self.sums(links, ratio: 1).count >= 10 else { return nil }
    let leastR = roundingVariance(of: links)
    // For one ratio λ the likelihood has a single peak in r, so it is clamped to the least r.
    func profile(_ logRatio: Double) -> (likelihood: Double, r: Double) {
      let sums = Self.sums(links, ratio: .exp(logRatio))
      let count = Double(sums.count)
      let r = max(sums.squares / count, leastR)
      let likelihood = -0.5 * (count * .log(2 * .pi * r) + sums.squares / r + sums.logSpread)
      return (likelihood, r)
    }

    // A coarse scan first, because there may be a second, lower peak. The smoothing time varies
    // with the fourth root of λ, so this covers hours to milliseconds.
    let step = 2.0
    var best = -36.0
    var bestLikelihood = -Double.infinity
    for candidate in stride(from: -36.0, through: 40, by: step) {
      let likelihood = profile(candidate).likelihood
      if likelihood > bestLikelihood { (best, bestLikelihood) = (candidate, likelihood) }
    }
    let logRatio = peak(from: best - step, to: best + step) { profile($0).likelihood }
    let straight = profile(-.infinity)
    (logLikelihood, r) = profile(logRatio)
    q = .exp(logRatio) * r
    if straight.likelihood >= logLikelihood {
      (logLikelihood, r) = straight
      q = 0
    }
  }

  private struct Sums {
    var count = 0
    /// The sum of e² / S.
    var squares = 0.0
    /// The sum of log S.
    var logSpread = 0.0
  }

  private static func sums(_ links: [NoiseEstimate.Link], ratio: Double) -> Sums {
    var sums = Sums()
    for link in links { add(link, ratio, &sums) }
    return sums
  }

  private static func add(_ link: NoiseEstimate.Link, _ ratio: Double, _ sums: inout Sums) {
    var state = SlopingLevel()
    var last = Int64.min
    // Logarithms are slow: multiply the variances and take one logarithm occasionally.
    var product = 1.0
    for (time, level) in zip(link.times, link.levels) where level.isFinite {
      // A late level counts as one at the latest time so far, as in the filter.
      let seconds = secondsLater(time, than: last)
      last = max(last, time)
      guard let surprise = state.take(Double(level), after: seconds, q: ratio, r: 1) else {
        continue
      }
      sums.count += 1
      sums.squares += surprise.error * surprise.error / surprise.spread
      product *= surprise.spread
      if product > 1e150 {
        sums.logSpread += .log(product)
        product = 1
      }
    }
    sums.logSpread += .log(product)
  }
}

extension Noise {
  /// The noise of a person walking for a model with a slope: rounded estimates from simulated
  /// walks.
  package static let walkingVelocity = Noise(q: 1, r: 12)
}

/// Returns the maximum of a function with one peak, to 1e-4, by golden sections.
private func peak(from: Double, to: Double, _ f: (Double) -> Double) -> Double {
  let ratio = (5.0.squareRoot() - 1) / 2
  var (low, high) = (from, to)
  var (a, b) = (high - ratio * (high - low), low + ratio * (high - low))
  var (fa, fb) = (f(a), f(b))
  while high - low > 1e-4 {
    if fa > fb {
      (high, b, fb) = (b, a, fa)
      a = high - ratio * (high - low)
      fa = f(a)
    } else {
      (low, a, fa) = (a, b, fb)
      b = low + ratio * (high - low)
      fb = f(b)
    }
  }
  return (low + high) / 2
}
