import RealModule

extension LevelCost {
  /// The radius of a disc about a minimum in which no place of a box has a lower cost, in metres.
  ///
  /// With t a step from the minimum p and K half the Hessian there, C(p + t) = C(p) + tᵀKt + T(t) + a rest: T
  /// is the cubic form of the third derivatives, |T(t)| ≤ a|t|³, and the rest is at most b|t|⁴ by the fourth
  /// derivatives: those of v = ln d² along a line are at most 2/d, 2/d², 4/d³ and 12/d⁴ in turn, so that
  /// b = Σ w (|e| + 11/3) / d⁴ with the least d and the largest e in the disc. Where the gradient is 0, or
  /// leads out of the box, C stays at or above C(p) up to the R with λ = a R + b R², λ the least eigenvalue
  /// of K.
  func provenRadius(about p: Point, box: SearchBox) -> Double {
    let e = expansion(at: p)
    let (xx, xy, yy) = (e.xx + e.bentXX, e.xy + e.bentXY, e.yy + e.bentYY)
    let curvature = 0.5 * (xx + yy) - (0.25 * (xx - yy) * (xx - yy) + xy * xy).squareRoot()
    let gx = box.holdsX(p, pull: e.gx) ? 0 : e.gx
    let gy = box.holdsY(p, pull: e.gy) ? 0 : e.gy
    guard curvature > 0, gx * gx + gy * gy <= 1e-10 * curvature * (1 + e.cost) else { return 0 }
    let cubic = largestCubic(at: p)
    var nearest = Double.infinity
    for term in terms { nearest = min(nearest, term.squaredDistance(from: p)) }
    var radius = 0.6 * nearest.squareRoot()
    if curvature < radius * cubic { radius = curvature / cubic }
    // b grows with R, so the R that goes with a longer one is safe.
    for _ in 0..<3 {
      var b = 0.0
      for term in terms {
        let squared = term.squaredDistance(from: p)
        let least = squared.squareRoot() - radius
        let residual = abs(Double.log(squared) - term.logSquaredRange) + 2 * radius / least
        b += term.squaredHalfWeight * (residual + 11 / 3) / (least * least * least * least)
      }
      // The positive root of b R² + a R - λ, in the form that loses no digits.
      let root = 2 * curvature / (cubic + (cubic * cubic + 4 * b * curvature).squareRoot())
      guard root < radius else { break }
      radius = root
    }
    return radius
  }

  /// The largest |T(t)| for |t| = 1, or a little more: T(t) = ⅓ Σ w (e v‴ + 3 v′v″) along t.
  private func largestCubic(at p: Point) -> Double {
    var (xxx, xxy, xyy, yyy) = (0.0, 0.0, 0.0, 0.0)
    for term in terms {
      let (dx, dy) = (p.x - term.x, p.y - term.y)
      let curl = 2 / term.squaredDistance(from: p)
      let (vx, vy) = (dx * curl, dy * curl)
      let (vxx, vxy, vyy) = (curl - vx * vx, -vx * vy, curl - vy * vy)
      let residual = Double.log(2 / curl) - term.logSquaredRange
      let weight = term.squaredHalfWeight
      xxx += weight * (residual * (-curl * vx - 2 * vx * vxx) + 3 * vx * vxx)
      xxy += weight * (residual * (-curl * vy - 2 * vx * vxy) + vy * vxx + 2 * vx * vxy)
      xyy += weight * (residual * (-curl * vx - 2 * vy * vxy) + vx * vyy + 2 * vy * vxy)
      yyy += weight * (residual * (-curl * vy - 2 * vy * vyy) + 3 * vy * vyy)
    }
    // T(cos φ, sin φ) is a wave of φ and one of 3 φ.
    let single = ((xxx + xyy) * (xxx + xyy) + (yyy + xxy) * (yyy + xxy)).squareRoot() * 3 / 4
    let triple = ((xxx - 3 * xyy) * (xxx - 3 * xyy) + (3 * xxy - yyy) * (3 * xxy - yyy)).squareRoot() / 4
    return (single + triple) / 3
  }
}
