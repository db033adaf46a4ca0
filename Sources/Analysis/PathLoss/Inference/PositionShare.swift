import NumericalMethods

/// The share of one position in a fit, in the subspace that its rows span: a position with a few
/// rows determines only a few combinations of the estimates.
struct PositionShare {
  /// The orthonormal basis, one column per direction.
  let basis: Matrix
  /// The position's information, multiplied by the root of the estimates' covariance on both sides.
  let share: SymmetricEigen
  /// The variance of its score under the working model.
  let variance: Matrix
  /// The share in the basis.
  let information: Matrix
  /// The matrix that makes the square of the score unbiased; outside the subspace it is `plainly`.
  private(set) var adjustment: Matrix
  /// 1 if the component outside the subspace is unchanged, 0 if there is none.
  private var plainly = 1.0

  /// - Parameters:
  ///   - root: The root of the inverse of the information of all positions.
  ///   - scale: The square roots of the diagonal of that information.
  /// - Returns: `nil` if the information is not finite.
  init?(_ position: PositionInformation, root: Matrix, scale: [Double]) {
    var scaled = position.information
    var unscaling = root
    for row in scale.indices {
      for column in scale.indices {
        scaled[row, column] /= scale[row] * scale[column]
        unscaling[row, column] *= scale[column]
      }
    }
    basis = (unscaling * scaled.orthonormalColumns).orthonormalColumns
    let rooted = root * basis
    information = rooted.transposed * (position.information * rooted)
    variance = rooted.transposed * (position.variance * rooted)
    guard let share = SymmetricEigen(information) else { return nil }
    self.share = share
    adjustment = share.map(Self.plain)
  }

  /// Returns the adjustment for independent readings, 1/√(1 − h): 1 if the information is not
  /// positive, and bounded for a position with nearly all of it.
  private static func plain(_ share: Double) -> Double {
    1 / (1 - min(max(share, 0), 0.99)).squareRoot()
  }

  /// Sets the adjustment of the working model: A with A R A = V, where V is ``variance`` and R that
  /// of the score after the fit.
  ///
  /// - Parameter sum: The variances of all positions.
  /// - Returns: A Boolean value that is true if the adjustment exists.
  mutating func adjust(sum: Matrix) -> Bool {
    let own = basis.transposed * (sum * basis)
    let left =
      variance - information * variance - variance * information + information * own * information
    guard let mean = Self.mean(of: variance, overInverseOf: left) else { return false }
    (adjustment, plainly) = (mean, 0)
    return true
  }

  /// Returns the symmetric A with A R A = V on the range of R: the geometric mean of V and the
  /// inverse of R (Bhatia, "Positive definite matrices", 2007, section 4.1).
  private static func mean(of v: Matrix, overInverseOf r: Matrix) -> Matrix? {
    guard let eigen = SymmetricEigen(r), let largest = eigen.values.last else { return nil }
    let limit = 1e-10 * max(largest, 0)
    let half = eigen.map { $0 > limit ? $0.squareRoot() : 0 }
    let inverse = eigen.map { $0 > limit ? 1 / $0.squareRoot() : 0 }
    guard let middle = SymmetricEigen(half * v * half) else { return nil }
    return inverse * middle.map { max($0, 0).squareRoot() } * inverse
  }

  /// Returns a vector with the adjustment applied.
  func adjusted(_ vector: [Double]) -> [Double] { apply(adjustment, outside: plainly, to: vector) }

  /// Returns a vector with (1 − share)⁻¹ applied, or `nil` if the other positions do not determine
  /// the estimates.
  func leftOut(_ vector: [Double]) -> [Double]? {
    guard let largest = share.values.last, largest < 1 - 1e-9 else { return nil }
    return apply(share.map { 1 / (1 - $0) }, outside: 1, to: vector)
  }

  private func apply(_ inside: Matrix, outside: Double, to vector: [Double]) -> [Double] {
    let coordinates = basis.transposed * vector
    let moved = inside * coordinates
    let change = basis * zip(moved, coordinates).map { $0 - outside * $1 }
    return zip(vector, change).map { outside * $0 + $1 }
  }
}
