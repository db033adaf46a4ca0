import RealModule

/// The cost of a place, a height and an offset given the levels of one epoch, with any loss.
///
/// The unknowns are q = (x, y, z, b): metres from an origin, and the offset in dB common to all
/// levels; those that are not estimated are fixed at 0. C(q) = Σ ℓ(ε_i), ε_i = κ_i (ln d_i² - ln
/// s_i²) - b / σ_i with κ_i = 5 n_i / (σ_i ln10).
struct LevelProblem {
  struct Term {
    var place: SIMD4<Double>
    var logSquaredRange: Double
    /// κ.
    var steepness: Double
    /// 1 / σ if the offset is estimated, else 0.
    var inverseSigma: Double
  }

  let terms: [Term]
  let loss: LossFunction
  /// The indices of the estimated unknowns.
  let axes: [Int]
  let low: SIMD4<Double>
  let high: SIMD4<Double>
  /// The smallest squared distance, to which smaller ones at an anchor are raised.
  let leastSquared: Double

  /// The cost at some unknowns, half its gradient and half its Hessian.
  struct Expansion {
    var cost = 0.0
    var gradient = SIMD4<Double>()
    var curvature = SIMDMatrix4()
    /// JᵀJ alone: the Fisher information of the unknowns for normal levels.
    var information = SIMDMatrix4()
  }

  static let space = SIMD4<Double>(1, 1, 1, 0)

  /// 1 for each estimated unknown, else 0.
  var asked: SIMD4<Double> {
    var asked = SIMD4<Double>()
    for axis in axes { asked[axis] = 1 }
    return asked
  }

  func expansion(at q: SIMD4<Double>) -> Expansion {
    var e = Expansion()
    let asked = asked
    for term in terms {
      let step = (q - term.place) * Self.space
      let squared = max((step * step).sum(), leastSquared)
      let residual =
        term.steepness * (Double.log(squared) - term.logSquaredRange) - term.inverseSigma * q.w
      let slope = 2 / squared * step * asked
      var gradient = term.steepness * slope
      gradient.w = -term.inverseSigma
      let influence = loss.influence(residual)
      e.cost += loss.value(residual)
      e.gradient += influence * gradient
      e.information.add(gradient, times: 1)
      e.curvature.add(gradient, times: loss.curvature(residual))
      let pull = influence * term.steepness
      e.curvature.add(slope, times: -pull)
      e.curvature.add(diagonal: 2 * pull / squared * asked * Self.space)
    }
    return e
  }

  /// Returns the nearest unknowns in the box.
  func clamp(_ q: SIMD4<Double>) -> SIMD4<Double> { q.clamped(lowerBound: low, upperBound: high) }

  /// Returns half the gradient without the components that lead out of the box at its edge.
  func freeGradient(_ gradient: SIMD4<Double>, at q: SIMD4<Double>) -> SIMD4<Double> {
    var free = gradient
    for axis in axes
    where (q[axis] <= low[axis] && free[axis] > 0) || (q[axis] >= high[axis] && free[axis] < 0) {
      free[axis] = 0
    }
    return free
  }

  /// Returns a minimum, reached from a start by damped Newton steps in the box.
  func descent(from start: SIMD4<Double>) -> (unknowns: SIMD4<Double>, cost: Double) {
    // Steps are in units of the box, because metres and decibels mix.
    var scale = SIMD4<Double>(repeating: 0)
    for axis in axes { scale[axis] = max(high[axis] - low[axis], .leastNormalMagnitude) }
    var q = clamp(start)
    var here = expansion(at: q)
    var damping = 1e-3
    for _ in 0..<100 {
      let gradient = freeGradient(here.gradient, at: q)
      let free = axes.filter { gradient[$0] != 0 }
      if free.isEmpty { break }
      var hessian = here.curvature.scaled(by: scale)
      let size = free.reduce(0) { $0 + abs(hessian[$1, $1]) }
      let lift = max(0, -hessian.leastEigenvalue(of: free)) + damping * size
      for axis in free { hessian[axis, axis] += lift }
      guard let inverse = hessian.inverse(of: free) else {
        damping = max(damping, 1e-3) * 10
        if damping > 1e12 { break }
        continue
      }
      let next = clamp(q - scale * inverse.times(scale * gradient))
      let there = expansion(at: next)
      let length = free.reduce(0) { max($0, abs(next[$1] - q[$1]) / scale[$1]) }
      if there.cost < here.cost {
        (q, here) = (next, there)
        damping = max(damping * 0.1, 1e-12)
      } else {
        damping = max(damping, 1e-3) * 5
      }
      if length < 1e-11 { break }
    }
    return (q, here.cost)
  }
}
