import RealModule

/// The process and measurement noise under which the levels of links are most likely.
///
/// Maximum likelihood by prediction-error decomposition: with λ = q / r the filter runs with r = 1,
/// r follows in closed form as the mean of e² / F, and one search over log λ remains. The start is
/// diffuse (the first level of a link predicts nothing). 1 dB steps add 1/12 dB² that no level can
/// be free of, so r is at least that, and q the best beside it. Source: Durbin and Koopman, "Time
/// series analysis by state space methods", sections 2.10.2 and 7.3. O(levels) an evaluation, about
/// 40 evaluations.
public struct NoiseEstimate: Equatable, Sendable {
  /// dB² per second.
  public var q: Double
  /// dB².
  public var r: Double
  public var logLikelihood: Double

  /// The levels of one link in the order in which they came.
  public struct Link: Sendable {
    /// Nanoseconds.
    public var times: [Int64]
    /// dBm.
    public var levels: [Float]

    public init(times: [Int64] = [], levels: [Float] = []) {
      self.times = times
      self.levels = levels
    }
  }

  /// The estimate shared by several links, or nil where they have fewer than 10 steps in all or
  /// none of them ever changes.
  public init?(_ links: [Link]) {
    let steps = links.reduce(0) { $0 + max(0, $1.times.count - 1) }
    guard steps >= 10 else { return nil }
    let leastR = 1.0 / 12
    // For one ratio λ the likelihood has a single peak in r, so below the least r it is best there.
    func profile(_ logRatio: Double) -> (likelihood: Double, r: Double) {
      let ratio = Double.exp(logRatio)
      var squares = 0.0
      var logSpread = 0.0
      for link in links { Self.predict(link, ratio, &squares, &logSpread) }
      let r = max(squares / Double(steps), leastR)
      let likelihood = -0.5 * (Double(steps) * .log(2 * .pi * r) + squares / r + logSpread)
      return (likelihood, r)
    }
    let isConstant = links.allSatisfy { link in
      link.levels.allSatisfy { $0 == link.levels.first }
    }
    guard !isConstant else { return nil }

    // A coarse scan first: the profile may have a second, lower peak at "no noise at all".
    var best = -16.0
    var bestLikelihood = -Double.infinity
    for step in 0...16 {
      let candidate = -16.0 + 1.5 * Double(step)
      let likelihood = profile(candidate).likelihood
      if likelihood > bestLikelihood { (best, bestLikelihood) = (candidate, likelihood) }
    }
    let logRatio = goldenSection(from: best - 1.5, to: best + 1.5) { profile($0).likelihood }
    (logLikelihood, r) = profile(logRatio)
    q = .exp(logRatio) * r
  }

  private static func predict(
    _ link: Link, _ ratio: Double, _ squares: inout Double, _ logSpread: inout Double
  ) {
    guard var level = link.levels.first.map(Double.init) else { return }
    var variance = 1.0
    var last = link.times[0]
    // Logarithms are slow: multiply the spreads and take one logarithm now and then.
    var product = 1.0
    for k in 1..<max(1, link.times.count) {
      // A late level counts as one at the latest time so far, as in the filter.
      let seconds = secondsLater(link.times[k], than: last)
      last = max(last, link.times[k])
      let predicted = variance + ratio * seconds
      let spread = predicted + 1
      let error = Double(link.levels[k]) - level
      let gain = predicted / spread
      level += gain * error
      variance = gain
      squares += error * error / spread
      product *= spread
      if product > 1e200 {
        logSpread += .log(product)
        product = 1
      }
    }
    logSpread += .log(product)
  }
}

/// Where a function with one peak is largest, to 1e-4.
private func goldenSection(from: Double, to: Double, _ f: (Double) -> Double) -> Double {
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
