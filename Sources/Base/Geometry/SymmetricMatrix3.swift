/// A symmetric 3 × 3 matrix: a scatter, an information or a covariance in space.
///
/// A matrix of the plane has a third row of 0, 0, 1, which does not change its determinant, its
/// inverse and its products in the plane.
package struct SymmetricMatrix3: Equatable {
  package var xx = 0.0, xy = 0.0, xz = 0.0, yy = 0.0, yz = 0.0, zz = 0.0

  @inlinable package init() {}

  @inlinable package init(_ covariance: Covariance) {
    (xx, xy, yy) = (covariance.xx, covariance.xy, covariance.yy)
    (xz, yz, zz) = covariance.vertical.map { ($0.xz, $0.yz, $0.zz) } ?? (0, 0, 1)
  }

  /// Adds weight · v vᵀ.
  @inlinable package mutating func add(_ v: SpacePoint, weight: Double = 1) {
    xx += weight * v.x * v.x
    xy += weight * v.x * v.y
    xz += weight * v.x * v.z
    yy += weight * v.y * v.y
    yz += weight * v.y * v.z
    zz += weight * v.z * v.z
  }

  /// Adds weight · another matrix.
  @inlinable package mutating func add(_ other: SymmetricMatrix3, weight: Double) {
    xx += weight * other.xx
    xy += weight * other.xy
    xz += weight * other.xz
    yy += weight * other.yy
    yz += weight * other.yz
    zz += weight * other.zz
  }

  /// The sum of the eigenvalues.
  @inlinable package var trace: Double { xx + yy + zz }

  /// The sum of the eigenvalues' products in pairs.
  @inlinable package var pairs: Double { xx * yy - xy * xy + xx * zz - xz * xz + yy * zz - yz * yz }

  /// The product of the eigenvalues.
  @inlinable package var determinant: Double {
    xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz)
  }

  /// The matrix of cofactors: the inverse times the determinant.
  @inlinable package var adjugate: SymmetricMatrix3 {
    var m = SymmetricMatrix3()
    m.xx = yy * zz - yz * yz
    m.xy = xz * yz - xy * zz
    m.xz = xy * yz - xz * yy
    m.yy = xx * zz - xz * xz
    m.yz = xy * xz - xx * yz
    m.zz = xx * yy - xy * xy
    return m
  }

  /// The inverse of a positive definite matrix; `nil` if it is not positive definite to working
  /// precision.
  @inlinable package var inverse: SymmetricMatrix3? {
    let determinant = determinant
    // Relative to the diagonal, because elements of different units, such as m² and the 1 of a
    // plane, differ in size.
    guard xx > 0, yy > 0, zz > 0, determinant > 1e-15 * xx * yy * zz, determinant.isFinite else {
      return nil
    }
    var inverse = SymmetricMatrix3()
    inverse.add(adjugate, weight: 1 / determinant)
    return inverse
  }

  /// Returns the product with a vector.
  @inlinable package func times(_ v: SpacePoint) -> SpacePoint {
    SpacePoint(
      x: xx * v.x + xy * v.y + xz * v.z, y: xy * v.x + yy * v.y + yz * v.z,
      z: xz * v.x + yz * v.y + zz * v.z)
  }

  /// Returns the trace of the product with another matrix.
  @inlinable package func dot(_ other: SymmetricMatrix3) -> Double {
    xx * other.xx + yy * other.yy + zz * other.zz
      + 2 * (xy * other.xy + xz * other.xz + yz * other.yz)
  }
}
