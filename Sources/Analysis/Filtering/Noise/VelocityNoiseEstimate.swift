import RealModule

/// The process and measurement noise of a sloping level under which the levels of links are most
/// likely.
///
/// As for the random walk: with λ = q / r the filter runs with r = 1, r follows in closed form as
/// the mean of e² / S, and one search over log λ remains, a scan and then golden sections. Levels
/// that start a link, one for its level and one for its slope, count nothing. r is never below the
/// variance of rounding alone, and q the best beside it; where a slope that never changes is at
/// least as likely as any other, q is exactly 0. Source: Durbin and Koopman, "Time series analysis
/// by state space methods", sections 2.10.2 and 7.3. O(levels) an evaluation, about 60 evaluations.
package struct VelocityNoiseEstimate: Equatable, Sendable {
  /// dB² per second³.
  package var q: Double
  /// dB².
  package var r: Double
  /// As in a `VelocityFilter` with this noise, over all links.
  package var logLikelihood: Double

  /// The estimate shared by several links, or nil where they have fewer than 10 levels besides
  /// those that start them, or none of them ever changes.
  package init?(_ links: [NoiseEstimate.Link]) {
    let isConstant = links.allSatisfy { link in
      let levels = link.levels.filter(\.isFinite)
      return levels.allSatisfy { $0 == levels.first }
    }
    guard !isConstant, Self.sums(links, ratio: 1).count >= 10 else { return nil }
    let leastR = roundingVariance(of: links)
    // For one ratio λ the likelihood has a single peak in r, so below the least r it is best there.
    func profile(_ logRatio: Double) -> (likelihood: Double, r: Double) {
      let sums = Self.sums(links, ratio: .exp(logRatio))
      let count = Double(sums.count)
      let r = max(sums.squares / count, leastR)
      let likelihood = -0.5 * (count * .log(2 * .pi * r) + sums.squares / r + sums.logSpread)
      return (likelihood, r)
    }

    // A coarse scan first: there may be a second, lower peak. The time over which the filter
    // smooths goes with the fourth root of λ, so this is from hours to milliseconds.
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
    /// Of e² / S.
    var squares = 0.0
    /// Of log S.
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
    // Logarithms are slow: multiply the spreads and take one logarithm now and then.
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
  /// As `walking`, for a model with a velocity: rounded estimates from simulated walks.
  package static let walkingVelocity = Noise(q: 1, r: 12)
}

/// Where a function with one peak is largest, to 1e-4, by golden sections.
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
