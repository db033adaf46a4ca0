import Geometry
import RealModule

/// The cost of a place given the levels of one epoch: the sum of squared standard scores.
///
/// C(p) = Σ w_i² (ln d_i - ln s_i)², w_i = 10 n_i / (σ_i ln10), d_i² = |p - a_i|² + h_i²: with s_i
/// the slant range, each term is ((rssi_i - P_i + 10 n_i log10 d_i) / σ_i)². Linear in the number
/// of anchors.
struct LevelCost {
  struct Term {
    var x, y, squaredHeight, logSquaredRange, squaredHalfWeight: Double

    func squaredDistance(from p: Point) -> Double {
      (p.x - x) * (p.x - x) + (p.y - y) * (p.y - y) + squaredHeight
    }
  }

  /// The cost at a place with its derivatives, in m⁻¹ and m⁻².
  struct Expansion: Equatable {
    var cost = 0.0
    /// Half the gradient.
    var gx = 0.0, gy = 0.0
    /// The Gauss–Newton matrix JᵀJ: the Fisher information of the place.
    var xx = 0.0, xy = 0.0, yy = 0.0
    /// The part of half the Hessian beyond JᵀJ, which grows with the residuals and may be
    /// indefinite.
    var bentXX = 0.0, bentXY = 0.0, bentYY = 0.0
  }

  let terms: [Term]
  /// The smallest squared distance, to which smaller ones are raised, so that the logarithm stays
  /// finite at an anchor.
  let leastSquaredDistance: Double

  /// - Parameters:
  ///   - origin: The origin of places.
  ///   - leastSquaredDistance: The smallest squared distance in m²; (1 µm)² by default.
  init(
    _ observations: [Observation], origin: Point = Point(x: 0, y: 0),
    leastSquaredDistance: Double = 1e-12
  ) {
    self.leastSquaredDistance = leastSquaredDistance
    terms = observations.map { o in
      let halfWeight = 0.5 / o.relativeRangeDeviation
      return Term(
        x: o.anchor.x - origin.x, y: o.anchor.y - origin.y,
        squaredHeight: o.heightDifference * o.heightDifference, logSquaredRange: o.logSquaredRange,
        squaredHalfWeight: halfWeight * halfWeight)
    }
  }

  func expansion(at p: Point) -> Expansion {
    var e = Expansion()
    for term in terms {
      let (dx, dy) = (p.x - term.x, p.y - term.y)
      let squared = max(dx * dx + dy * dy + term.squaredHeight, leastSquaredDistance)
      let curl = 2 / squared
      // j = d(ln d²)/dp = 2 (p - a) / d².
      let (jx, jy) = (dx * curl, dy * curl)
      let weight = term.squaredHalfWeight
      let residual = Double.log(squared) - term.logSquaredRange
      let pull = weight * residual
      e.cost += pull * residual
      e.gx += pull * jx
      e.gy += pull * jy
      let (jxx, jxy, jyy) = (jx * jx, jx * jy, jy * jy)
      e.xx += weight * jxx
      e.xy += weight * jxy
      e.yy += weight * jyy
      // d²(ln d²)/dp² = 2 I / d² - j jᵀ.
      e.bentXX += pull * (curl - jxx)
      e.bentXY -= pull * jxy
      e.bentYY += pull * (curl - jyy)
    }
    return e
  }
}
