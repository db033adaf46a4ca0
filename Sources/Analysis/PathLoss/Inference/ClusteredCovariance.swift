import NumericalMethods

/// The covariance of estimates whose readings depend on each other within positions.
///
/// Bias-reduced linearisation (Bell and McCaffrey 2002, "CR2"; Pustejovsky and Tipton 2018): what a
/// position's score has lost to the fit is put back, so that its expected square is right under a
/// working model in which the readings of a position share an offset. Without the offset in the
/// model, a position that holds most packets would pull the curve onto itself and look certain.
/// Intervals use Student's t with the degrees of freedom that match the variance's own mean and
/// variance under the same model (Imbens and Kolesár 2016). The same applies to every estimator
/// whose criterion is a sum over positions, with its second derivatives in place of XᵀX.
/// Complexity: O(positions × parameters² × rows of a position), which are few.
struct ClusteredCovariance {
  let covariance: Matrix
  private let positions: [PositionInformation]
  /// The inverse root of the information: S with S² = M⁻¹.
  private let root: Matrix
  private let shares: [PositionShare]
  /// The variances of the scores of all positions by the working model, times S from both sides.
  private let variance: Matrix

  /// - Parameters:
  ///   - positions: what each position contributes.
  ///   - ratio: variance of the offset that a position's readings share, over that of the rest,
  ///     over the information of one reading.
  ///   - sharesInAdjustment: whether the offset is in the adjustment too, not in the degrees of
  ///     freedom only: where information is that of readings which all show the same of it.
  /// - Returns: nil where the information has no inverse.
  init?(_ positions: [PositionInformation], ratio: Double, sharesInAdjustment: Bool) {
    guard let size = positions.first?.score.count else { return nil }
    let total = positions.reduce(Matrix(zeros: size, size)) { $0 + $1.information }
    guard let inverse = total.positiveInverse, let eigen = SymmetricEigen(inverse) else {
      return nil
    }
    let root = eigen.map { max($0, 0).squareRoot() }
    let scale = (0..<size).map { total[$0, $0].squareRoot() }
    var shares = positions.compactMap {
      PositionShare($0, root: root, scale: scale, ratio: ratio)
    }
    guard shares.count == positions.count else { return nil }
    var sum = root * total * root
    for position in positions {
      let rows = root * (0..<size).map { position.information[$0, 0] }
      sum.addOuter(rows.map { $0 * ratio.squareRoot() })
    }
    // A position of which a part of the criterion curves the wrong way has no variance by the
    // model.
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

  /// How far leaving out a position would move the estimates, to first order; exact for least
  /// squares.
  ///
  /// - Returns: nil where the others do not determine the estimates.
  func influence(of position: Int) -> [Double]? {
    shares[position].leftOut(root * positions[position].score).map { root * $0 }
  }

  /// The largest share that a position has in any combination of the estimates, 0 to 1.
  var largestShare: (position: Int, share: Double)? {
    shares.indices.compactMap { index in shares[index].share.values.last.map { (index, $0) } }
      .max { $0.1 < $1.1 }
  }

  /// The degrees of freedom of the variance of a linear combination of the estimates.
  func degreesOfFreedom(of combination: [Double]) -> Double {
    let size = combination.count
    let direction = root * combination
    // The covariance of what positions g and h add is δ a_g + y_gᵀ J y_h, with y = (q, r) and
    // J = (V, −1; −1, 0).
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
