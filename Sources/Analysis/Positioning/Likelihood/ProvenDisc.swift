import Geometry
import RealModule

extension LevelCost {
  /// Returns the radius of a disc about a minimum in which no place of a box has a lower cost, in
  /// metres.
  ///
  /// Let t be a step from the minimum p and K half the Hessian there. Then C(p + t) ≥ C(p) + tᵀKt +
  /// T(t) - rest, as in ``CubicBound``: T is the cubic form, |T(t)| ≤ a|t|³, and the rest at most
  /// b|t|⁴ / (1 - |t| / n), where n is the distance of the nearest anchor and b = Σ w (|e| + 8/3) /
  /// d⁴. If the gradient is 0, or leads out of the box, C stays at or above C(p) up to the R with λ
  /// = a R + b R² / (1 - R / n), λ the least eigenvalue of K.
  func provenRadius(about p: Point, box: SearchBox) -> Double {
    let e = expansion(at: p)
    let (xx, xy, yy) = (e.xx + e.bentXX, e.xy + e.bentXY, e.yy + e.bentYY)
    let curvature = 0.5 * (xx + yy) - (0.25 * (xx - yy) * (xx - yy) + xy * xy).squareRoot()
    let gx = box.holdsX(p, pull: e.gx) ? 0 : e.gx
    let gy = box.holdsY(p, pull: e.gy) ? 0 : e.gy
    guard curvature > 0, gx * gx + gy * gy <= 1e-10 * curvature * (1 + e.cost) else { return 0 }
    // Along (cos φ, sin φ), T is the sum of a wave in φ and one in 3 φ.
    var (single, triple) = (Point(x: 0, y: 0), Point(x: 0, y: 0))
    var (b, nearest) = (0.0, Double.infinity)
    for term in terms {
      let squared = term.squaredDistance(from: p)
      let curl = 2 / squared
      let (sx, sy) = ((p.x - term.x) * curl, (p.y - term.y) * curl)
      let weight = term.squaredHalfWeight
      let residual = Double.log(squared) - term.logSquaredRange
      let pull = weight * residual
      let cube = pull * 2 / 3 - weight
      let wave = 0.75 * cube * (sx * sx + sy * sy) + (weight - pull) * curl
      single.x += wave * sx
      single.y += wave * sy
      triple.x += 0.25 * cube * sx * (sx * sx - 3 * sy * sy)
      triple.y += 0.25 * cube * sy * (3 * sx * sx - sy * sy)
      b += (abs(pull) + weight * 8 / 3) * 0.25 * curl * curl
      nearest = min(nearest, squared)
    }
    guard nearest > 4 * leastSquaredDistance else { return 0 }
    let origin = Point(x: 0, y: 0)
    let cubic = single.distance(to: origin) + triple.distance(to: origin)
    let closeness = 1 / nearest.squareRoot()
    // The root of (b - a/n) R² + (a + λ/n) R - λ, in the form that loses no digits.
    let linear = cubic + curvature * closeness
    let discriminant = linear * linear + 4 * curvature * (b - cubic * closeness)
    let radius = 2 * curvature / (linear + max(discriminant, 0).squareRoot())
    return radius.isFinite ? radius * (1 - 1e-9) : 0
  }
}
