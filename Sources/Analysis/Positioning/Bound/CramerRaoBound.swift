package import Geometry
import RealModule

/// Returns the Cramér–Rao bound: the least covariance of an unbiased estimate from signal levels.
///
/// F = Σ (10 n_i / σ_i ln10)² (p - a_i)(p - a_i)ᵀ / d_i⁴; the bound is F⁻¹. An unknown offset
/// common to all levels removes the rank-one part of the information that it shares with them
/// (Schur complement). A prior adds its own information (van Trees, "Detection, Estimation, and
/// Modulation Theory", 1968). Patwari et al., "Relative Location Estimation in Wireless Sensor
/// Networks", IEEE T-SP 2003.
///
/// - Parameters:
///   - observations: The received anchors; their levels are ignored. They must be independent: if
///     several packets share their shadowing, one observation represents them all.
///   - place: The true place.
///   - height: The true height above the reference level; `nil` if only the place in the plane is
///     estimated, and the observations' heights are above the target.
///   - offset: A Boolean value that is true if an offset common to all levels is unknown.
///   - prior: The prior covariance of the place, or `nil` for none.
/// - Returns: The bound in m²; `nil` if the levels leave a direction undetermined, or the place is
///   on an anchor.
package func cramerRaoBound(
  _ observations: [Observation], at place: Point, height: Double? = nil, offset: Bool = false,
  prior: Covariance? = nil
) -> Covariance? {
  let axes = height == nil ? [0, 1] : [0, 1, 2]
  let all = axes + (offset ? [3] : [])
  var information = SIMDMatrix4()
  for o in observations {
    let step = SIMD4(
      place.x - o.anchor.x, place.y - o.anchor.y, (height ?? 0) - o.heightDifference, 0)
    let squared = (step * step).sum()
    guard squared > 0, o.relativeRangeDeviation > 0 else { return nil }
    // The derivative of the level in units of its standard deviation.
    var slope = step / (squared * o.relativeRangeDeviation)
    if height == nil { slope.z = 0 }
    slope.w = offset ? -1 / o.sigma : 0
    information.add(slope, times: 1)
  }
  if let prior {
    var known = SIMDMatrix4()
    known[0, 0] = prior.xx
    (known[0, 1], known[1, 0]) = (prior.xy, prior.xy)
    known[1, 1] = prior.yy
    if let vertical = prior.vertical, height != nil {
      (known[0, 2], known[2, 0]) = (vertical.xz, vertical.xz)
      (known[1, 2], known[2, 1]) = (vertical.yz, vertical.yz)
      known[2, 2] = vertical.zz
    }
    // A prior without a height carries no information about it.
    let told = prior.vertical == nil ? [0, 1] : axes
    guard let inverse = known.inverse(of: told) else { return nil }
    for row in told { information.rows[row] += inverse.rows[row] }
  }
  guard let bound = information.inverse(of: all) else { return nil }
  return Covariance(
    xx: bound[0, 0], xy: bound[0, 1], yy: bound[1, 1],
    vertical: height == nil
      ? nil : Covariance.Vertical(xz: bound[0, 2], yz: bound[1, 2], zz: bound[2, 2]))
}
