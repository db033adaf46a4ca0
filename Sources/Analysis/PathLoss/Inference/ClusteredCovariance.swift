import NumericalMethods

/// The covariance of estimates whose readings are correlated within positions (cluster-robust).
///
/// Bias-reduced linearisation (Bell and McCaffrey 2002, "CR2"; Pustejovsky and Tipton 2018): it
/// restores the part of a position's score that the fit absorbed, so that its expected square is
/// correct under a working model in which the readings of a position share an offset. Without the
/// offset in the model, a position with most of the packets would pull the curve onto itself and
/// look certain. Intervals use Student's t with the degrees of freedom that match the mean and the
/// variance of the estimated variance under the same model (Imbens and Kolesár 2016). The same
/// applies to every estimator whose criterion is a sum over positions, with its second derivatives
/// in place of XᵀX. Complexity: O(positions × parameters² × rows of a position), which are few.
struct ClusteredCovariance {
  let covariance: Matrix
  private let positions: [PositionInformation]
  /// The inverse root of the information: S with S² = M⁻¹.
  private let root: Matrix
  private let shares: [PositionShare]
  /// The variances of the scores of all positions under the working model, multiplied by S on both
  /// sides.
  private let variance: Matrix

  /// - Parameters:
  ///   - positions: The contribution of each position.
  ///   - sharesInAdjustment: A Boolean value that is true if the working model enters the adjustment
  ///     as well as the degrees of freedom: if all readings carry the same information about an
  ///     offset.
  /// - Returns: `nil` if the information is singular.
  init?(_ positions: [PositionInformation], sharesInAdjustment: Bool) {
    guard let size = positions.first?.score.count else { return nil }
    let total = positions.reduce(Matrix(zeros: size, size)) { $0 + $1.information }
    guard let inverse = total.positiveInverse, let eigen = SymmetricEigen(inverse) else {
      return nil
    }
    let root = eigen.map { max($0, 0).squareRoot() }
    let scale = (0..<size).map { total[$0, $0].squareRoot() }
    var shares = positions.compactMap {
      PositionShare($0, root: root, scale: scale)
    }
    guard shares.count == positions.count else { return nil }
    let sum =
      root * positions.reduce(Matrix(zeros: size, size)) { $0 + $1.variance } * root
    // If part of a position's criterion has negative curvature, the model gives no variance.
    if sharesInAdjustment, shares.allSatisfy({ ($0.share.values.first ?? 0) > -1e-9 }) {
      for index in shares.indices {
        guard shares[index].adjust(sum: sum) else { return nil }
      }
    }
    var covariance = Matrix(zeros: size, size)
    for (share, position) in zip(shares, positions) {
      covariance.addOuter(root * share.adjusted(root * position.score))
    }
    self.positions = positions
    self.root = root
    self.shares = shares
    self.variance = sum
    self.covariance = covariance
  }

  /// Returns the change of the estimates on removal of a position, to first order; exact for least
  /// squares.
  ///
  /// - Returns: The change, or `nil` if the other positions do not determine the estimates.
  func influence(of position: Int) -> [Double]? {
    shares[position].leftOut(root * positions[position].score).map { root * $0 }
  }

  /// The largest share of a position in any combination of the estimates, 0 to 1.
  var largestShare: (position: Int, share: Double)? {
    shares.indices.compactMap { index in shares[index].share.values.last.map { (index, $0) } }
      .max { $0.1 < $1.1 }
  }

  /// Returns the degrees of freedom of the variance of a linear combination of the estimates.
  func degreesOfFreedom(of combination: [Double]) -> Double {
    let size = combination.count
    let direction = root * combination
    // The covariance of the contributions of positions g and h is δ a_g + y_gᵀ J y_h, with y = (q,
    // r) and J = (V, −1; −1, 0).
    var trace = 0.0
    var squares = 0.0
    var gram = Matrix(zeros: 2 * size, 2 * size)
    for share in shares {
      let b = share.adjustment * (share.basis.transposed * direction)
      let r = share.variance * b
      let own = dot(b, r)
      let q = share.basis * (share.information * b)
      let spread = share.basis * r
      let cross = variance.form(q) - 2 * dot(q, spread)
      trace += own + cross
      squares += own * own + 2 * own * cross
      gram.addOuter(q + spread)
    }
    var form = Matrix(zeros: 2 * size, 2 * size)
    for row in 0..<size {
      form[row, size + row] = -1
      form[size + row, row] = -1
      for column in 0..<size { form[row, column] = variance[row, column] }
    }
    let product = form * gram
    squares += dot(product.elements, product.transposed.elements)
    let freedom = trace * trace / squares
    return freedom.isFinite && freedom > 0 ? max(freedom, 1) : 1
  }
}
