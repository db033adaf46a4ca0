import Geometry
import Positioning

extension Covariance {
  /// eᵀ C⁻¹ e in the plane; nil for a singular covariance, or one that is none.
  package func planeScore(_ dx: Double, _ dy: Double) -> Double? {
    guard xx > 0, yy > 0 else { return nil }
    let score = squaredScore(dx, dy)
    return score.isFinite && score >= 0 ? score : nil
  }

  /// eᵀ C⁻¹ e in space, by Cholesky's factors; nil for a singular covariance, one that is none, or
  /// one of the plane.
  func spaceScore(_ dx: Double, _ dy: Double, _ dz: Double) -> Double? {
    guard let vertical, xx > 0 else { return nil }
    let a = xx.squareRoot()
    let (b, c) = (xy / a, vertical.xz / a)
    let dd = yy - b * b
    guard dd > 0 else { return nil }
    let d = dd.squareRoot()
    let e = (vertical.yz - b * c) / d
    let ff = vertical.zz - c * c - e * e
    guard ff > 0 else { return nil }
    let u = dx / a
    let v = (dy - b * u) / d
    let w = dz - c * u - e * v
    let score = u * u + v * v + w * w / ff
    return score.isFinite ? score : nil
  }
}
