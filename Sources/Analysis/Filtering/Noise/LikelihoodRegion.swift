import NumericalMethods
import RealModule

/// The region of q and r in which the likelihood of levels exceeds a threshold.
///
/// For one ratio λ the region is an interval of r, whose ends are in closed form except for one
/// equation. Its extent in q and in r is therefore found by a search over λ alone.
struct LikelihoodRegion {
  typealias Lanes = NoiseLikelihood.Lanes

  private let likelihood: NoiseLikelihood
  private let search: NoiseSearch?
  private let least: Double

  /// - Parameter search: The search of the likelihood.
  init(_ likelihood: NoiseLikelihood, _ search: NoiseSearch?, atLeast least: Double) {
    self.likelihood = likelihood
    self.search = search
    self.least = least
  }

  /// Returns the least and largest q and r of the region, or `nil` if it is empty.
  func extent(
    about estimate: NoiseEstimate
  ) -> (q: Interval, r: Interval)? {
    let sums = likelihood.sums(.zero)
    let atRest = section(squares: sums.squares[0], logSpread: sums.logSpread[0])
    let still = atRest.excess >= 0 ? atRest.r : nil
    guard let (ratios, polynomials) = logRatios(about: estimate) else {
      return still.map {
        (Interval(lower: 0, upper: 0), Interval(lower: $0.lowerBound, upper: $0.upperBound))
      }
    }
    let middle = 0.5 * (ratios.lowerBound + ratios.upperBound)
    let half = 0.5 * (ratios.upperBound - ratios.lowerBound)
    // The ends of r meet like those of an ellipse at the ends of λ; over the angle they are smooth
    // there.
    func largest(_ number: (Double, ClosedRange<Double>) -> Double) -> Double {
      NoiseSearch(in: 0...Double.pi, passes: 2 + Int(half / 2)) { angles in
        var places = Lanes()
        for lane in 0..<4 { places[lane] = middle - half * .cos(angles[lane]) }
        let (squares, logSpread) = polynomials.sums(places)
        var values = Lanes()
        for lane in 0..<4 {
          let section = section(squares: squares[lane], logSpread: logSpread[lane])
          // Outside the region the function decreases continuously, because rounding may move the
          // end.
          values[lane] = number(places[lane], section.r) + min(0, section.excess)
        }
        return values
      }.value
    }
    let qHigh = Double.exp(largest { $0 + .log($1.upperBound) })
    let qLow = still == nil ? Double.exp(-largest { -$0 - .log($1.lowerBound) }) : 0
    var rHigh = Double.exp(largest { .log($1.upperBound) })
    var rLow = Double.exp(-largest { -.log($1.lowerBound) })
    if let still {
      rHigh = max(rHigh, still.upperBound)
      rLow = min(rLow, still.lowerBound)
    }
    guard qLow <= qHigh, rLow <= rHigh else { return nil }
    return (Interval(lower: qLow, upper: qHigh), Interval(lower: rLow, upper: rHigh))
  }

  /// Returns the range of log λ of the region, without λ = 0, and the sums about it, or `nil` if it
  /// has no other λ.
  private func logRatios(
    about estimate: NoiseEstimate
  ) -> (ClosedRange<Double>, RatioPolynomials)? {
    guard let search else { return nil }
    var inside = search.scan.filter { $0.value >= least }.map(\.x)
    if search.value >= least { inside.append(search.place) }
    if estimate.q > 0 { inside.append(.log(estimate.q / estimate.r)) }
    guard let low = inside.min(), let high = inside.max() else { return nil }
    let below = search.scan.last { $0.x < low }?.x ?? low
    let above = search.scan.first { $0.x > high }?.x ?? high
    let polynomials = RatioPolynomials(likelihood, over: below...above)
    let range = edge(from: low, to: below, polynomials)...edge(from: high, to: above, polynomials)
    return (range, polynomials)
  }

  /// Returns the end of the region between a log λ inside and one outside, or the same.
  private func edge(
    from inside: Double, to outside: Double, _ polynomials: RatioPolynomials
  ) -> Double {
    var (inside, outside) = (inside, outside)
    while abs(outside - inside) > 1e-4 {
      let (low, high) = (min(inside, outside), max(inside, outside))
      let places = low + (high - low) / 5 * Lanes(1, 2, 3, 4)
      let values = likelihood.profile(of: polynomials.sums(places)).logLikelihood
      let outward = outside > inside ? [0, 1, 2, 3] : [3, 2, 1, 0]
      for lane in outward {
        guard values[lane] >= least else {
          outside = places[lane]
          break
        }
        inside = places[lane]
      }
    }
    return inside
  }

  /// Returns the interval of r at one ratio, from its sums; outside the region, its best r alone,
  /// with the negative deficit of the likelihood per level.
  private func section(
    squares: Double, logSpread: Double
  ) -> (r: ClosedRange<Double>, excess: Double) {
    // With t = log(r / r*), r* = S / n the best: exp(−t) + t = 1 + excess at both ends.
    let n = Double(likelihood.count)
    let best = squares / n
    let excess = (-2 * least - logSpread) / n - .log(2 * .pi * best) - 1
    let leastR = likelihood.leastR
    let high = excess > 0 ? best * .exp(Self.root(excess, from: 1 + excess)) : best
    guard high >= leastR else {
      let t = Double.log(leastR / best)
      return (leastR...leastR, excess - (.exp(-t) + t - 1))
    }
    let low = excess > 0 ? best * .exp(Self.root(excess, from: -(2 * excess).squareRoot())) : best
    return (max(low, leastR)...high, excess)
  }

  /// Returns the root of exp(−t) + t = 1 + excess on one side of 0, by Newton's method from beyond
  /// it, where the left side is convex and every step approaches the root.
  private static func root(_ excess: Double, from start: Double) -> Double {
    var t = start
    for _ in 0..<100 {
      let slope = 1 - Double.exp(-t)
      guard slope != 0 else { break }
      let change = (.exp(-t) + t - 1 - excess) / slope
      t -= change
      if abs(change) <= 1e-12 * (1 + abs(t)) { break }
    }
    return t
  }
}
