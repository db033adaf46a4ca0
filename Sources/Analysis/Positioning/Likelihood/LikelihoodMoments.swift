import Geometry
import RealModule

extension LevelCost {
  /// Returns the mean squared error of a minimum under the likelihood, in m²: ∫ (q - p)(q - p)ᵀ
  /// e^(-C/2) over ∫ e^(-C/2), near p; `nil` if the cost does not rise around it.
  ///
  /// The integral is summed along the flattest direction, at 8 places within 3.6 semi-axes of the
  /// likelihood's ellipse or to the edge of the box. At each of them the likelihood is approximated
  /// by a normal across, about the bottom of the valley, which may bend (Laplace's method). Other,
  /// distant minima are ignored. The inverse Fisher information agrees if there are many precise
  /// levels. Otherwise it is far too small: information grows with 1/d², so an answer too near an
  /// anchor would claim to be the most certain, and a curved valley would give a narrow ellipse.
  func likelihoodCovariance(about p: Point, box: SearchBox) -> Covariance? {
    let e = expansion(at: p)
    let (xx, xy, yy) = (e.xx + e.bentXX, e.xy + e.bentXY, e.yy + e.bentYY)
    let (middle, difference) = (0.5 * (xx + yy), 0.5 * (xx - yy))
    let spread = (difference * difference + xy * xy).squareRoot()
    // The direction across is that of the larger eigenvalue; the one along it, of the smaller.
    let angle = 0.5 * Double.atan2(y: xy, x: difference)
    let across = (x: Double.cos(angle), y: Double.sin(angle))
    let along = (x: -across.y, y: across.x)
    guard
      let reach = reach(
        from: p, cost: e.cost, along.x, along.y, curvature: middle - spread, box.length)
    else { return nil }
    var (weights, uu, uv, vv) = (0.0, 0.0, 0.0, 0.0)
    for side in [1.0, -1.0] {
      let direction = Point(x: side * along.x, y: side * along.y)
      let length = min(Self.halfAxes * reach, box.room(from: p, towards: direction))
      var (u, v) = (0.0, 0.0)
      for (node, share) in Self.nodes {
        // Extrapolate the valley linearly.
        let next = side * node * length
        v *= u == 0 ? 0 : next / u
        u = next
        var (bottom, curvature) = (0.0, 0.0)
        for _ in 0..<2 {
          let e = expansion(
            at: Point(x: p.x + u * along.x + v * across.x, y: p.y + u * along.y + v * across.y))
          let slope = across.x * e.gx + across.y * e.gy
          let information =
            across.x * across.x * e.xx + 2 * across.x * across.y * e.xy + across.y * across.y * e.yy
          let bent =
            across.x * across.x * e.bentXX + 2 * across.x * across.y * e.bentXY + across.y
            * across.y * e.bentYY
          curvature = max(information + bent, 0.25 * information)
          guard curvature > 0 else { break }
          let shift = max(-reach, min(reach, slope / curvature))
          bottom = e.cost - shift * (2 * slope - shift * curvature)
          v -= shift
          if shift * shift * curvature < 0.1 { break }
        }
        guard curvature > 0,
          box.hasInside(
            Point(x: p.x + u * along.x + v * across.x, y: p.y + u * along.y + v * across.y))
        else { break }
        let weight = share * length * Double.exp(-0.5 * (bottom - e.cost)) / curvature.squareRoot()
        weights += weight
        uu += weight * u * u
        uv += weight * u * v
        vv += weight * (v * v + 1 / curvature)
      }
    }
    guard weights > 0, uu.isFinite, vv.isFinite else { return nil }
    (uu, uv, vv) = (uu / weights, uv / weights, vv / weights)
    return Covariance(
      xx: along.x * along.x * uu + 2 * along.x * across.x * uv + across.x * across.x * vv,
      xy: along.x * along.y * uu + (along.x * across.y + along.y * across.x) * uv + across.x
        * across.y * vv,
      yy: along.y * along.y * uu + 2 * along.y * across.y * uv + across.y * across.y * vv)
  }

  /// Returns the semi-axis of the likelihood's ellipse in a direction, in metres: half the distance
  /// at which C rises by 4.
  private func reach(
    from p: Point, cost: Double, _ ux: Double, _ uy: Double, curvature: Double, _ longest: Double
  ) -> Double? {
    guard curvature.isFinite else { return nil }
    var sum = 0.0
    for side in [1.0, -1.0] {
      // √(C - C(p)) is about linear along a direction.
      var reach = curvature > 0 ? min(2 / curvature.squareRoot(), longest) : longest
      for _ in 0..<2 {
        let rise = value(at: Point(x: p.x + side * reach * ux, y: p.y + side * reach * uy)) - cost
        guard rise.isFinite else { return nil }
        let factor = rise > 0 ? min(2 / rise.squareRoot(), 4) : 4
        reach = min(reach * factor, longest)
        if abs(factor - 1) < 0.3 { break }
      }
      sum += reach * reach
    }
    return (sum / 8).squareRoot()
  }

  /// The range of the sum, in semi-axes of the likelihood's ellipse; the tail beyond compensates
  /// for the error of the sum.
  private static let halfAxes = 3.6
  /// Gauss–Legendre nodes and weights on 0…1.
  private static let nodes = [
    (0.06943184420297371, 0.17392742256872679), (0.33000947820757187, 0.3260725774312732),
    (0.6699905217924281, 0.3260725774312732), (0.9305681557970262, 0.17392742256872679),
  ]

  /// Returns the cost at a place.
  func value(at p: Point) -> Double {
    var cost = 0.0
    for term in terms {
      let residual =
        Double.log(max(term.squaredDistance(from: p), leastSquaredDistance)) - term.logSquaredRange
      cost += term.squaredHalfWeight * residual * residual
    }
    return cost
  }
}
