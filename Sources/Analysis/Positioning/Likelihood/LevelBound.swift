import RealModule

extension LevelProblem {
  /// The bounds of the cost in a box of unknowns.
  struct Bound {
    /// The cost at the centre.
    var middle: Double
    /// A lower bound of the cost.
    var least: Double
    /// The unknown whose range changes the levels most.
    var widest: Int
    /// The largest contribution of terms beyond second order, and the least eigenvalue of half a
    /// lower bound of the Hessian in units of half the sides; the rest is infinite if there is no
    /// bound.
    var rest: Double
    var curvature: Double
  }

  /// Returns a lower bound of the cost in a box.
  ///
  /// The larger of two bounds. One takes each residual as near 0 as its interval allows, which is
  /// valid for any loss that grows with |ε|. The other expands at the centre: with m the least ψ′
  /// on a residual's interval, ℓ(ε + Δ) ≥ ℓ + 2 ψ Δ + m Δ², and Δ is linear in the step but for a
  /// rest of at most κ (R / d)² in all and κ (2/3) (R / d)³ beyond its second-order terms, R half
  /// the diagonal and d the least distance.
  func bound(middle: SIMD4<Double>, half: SIMD4<Double>) -> Bound {
    let squaredRadius = (half * half * Self.space).sum()
    let asked = asked
    var (first, cost, rest) = (0.0, 0.0, 0.0)
    var gradient = SIMD4<Double>()
    var curvature = SIMDMatrix4()
    var (spatial, common) = (0.0, 0.0)
    for term in terms {
      let step = (middle - term.place) * Self.space
      let size = step.replacing(with: -step, where: step .< 0)
      var gap = size - half * Self.space
      gap.replace(with: 0, where: gap .< 0)
      let reach = size + half * Self.space
      let near = max((gap * gap).sum(), leastSquared)
      let far = max((reach * reach).sum(), leastSquared)
      let squared = max((step * step).sum(), leastSquared)
      let (offset, spread) = (term.inverseSigma * middle.w, term.inverseSigma * half.w)
      let low = term.steepness * (Double.log(near) - term.logSquaredRange) - offset - spread
      let high = term.steepness * (Double.log(far) - term.logSquaredRange) - offset + spread
      let residual = term.steepness * (Double.log(squared) - term.logSquaredRange) - offset
      let margin = 1e-13 * (1 + abs(low) + abs(high))
      first += loss.value(max(low - margin, 0) + min(high + margin, 0))
      let influence = loss.influence(residual)
      let least = loss.leastCurvature(min(low, residual) - margin...max(high, residual) + margin)
      let slope = 2 / squared * step * asked
      var own = term.steepness * slope
      own.w = -term.inverseSigma
      cost += loss.value(residual)
      gradient += influence * own
      curvature.add(own, times: least)
      let pull = influence * term.steepness
      curvature.add(slope, times: -pull)
      curvature.add(diagonal: 2 * pull / squared * asked * Self.space)
      let ratio = near > leastSquared || squaredRadius == 0 ? squaredRadius / near : .infinity
      let beyond = term.steepness * ratio
      let along = (own.replacing(with: -own, where: own .< 0) * half).sum()
      rest += 4 / 3 * abs(influence) * beyond * ratio.squareRoot()
      rest += abs(least) * (2 * along * beyond + (least < 0 ? beyond * beyond : 0))
      spatial += term.steepness * term.steepness / max(squared, squaredRadius)
      common += term.inverseSigma * term.inverseSigma
    }
    let scaled = curvature.scaled(by: half).leastEigenvalue(of: axes)
    var second = cost - rest
    for axis in axes {
      let g = abs(gradient[axis]) * half[axis]
      second -= g < scaled ? g * g / scaled : 2 * g - scaled
    }
    var widest = (axis: axes[0], spread: -1.0)
    for axis in axes {
      let spread = half[axis] * (axis == 3 ? common : 4 * spatial).squareRoot()
      if spread > widest.spread { widest = (axis, spread) }
    }
    return Bound(
      middle: cost, least: second > first ? second : first, widest: widest.axis,
      rest: rest.isFinite ? rest : .infinity, curvature: scaled)
  }

  /// Returns half the sides of a box around a minimum in which no unknowns have a lower cost, or 0
  /// without a proof.
  ///
  /// In the box C(q + t) ≥ C(q) + λ|u|² - rest |u|³, with u the step in units of half the sides,
  /// because the gradient is 0 or leads out of the bounds; so λ ≥ rest is the proof.
  func provenHalf(about q: SIMD4<Double>) -> SIMD4<Double> {
    let e = expansion(at: q)
    let gradient = freeGradient(e.gradient, at: q)
    var half = SIMD4<Double>()
    for axis in axes {
      guard e.curvature[axis, axis] > 0 else { return SIMD4() }
      half[axis] = min((1 + e.cost) / e.curvature[axis, axis], .greatestFiniteMagnitude)
        .squareRoot()
      half[axis] = min(half[axis], high[axis] - low[axis])
    }
    for _ in 0..<24 {
      let bound = bound(middle: q, half: half)
      let slip = (gradient * gradient * half * half).sum()
      if bound.curvature >= bound.rest, slip <= 1e-10 * bound.curvature * (1 + e.cost) {
        return half
      }
      half *= 0.6
    }
    return SIMD4()
  }
}
