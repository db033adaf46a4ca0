import LeastSquares

/// The covariance of estimates whose readings depend on each other within positions.
///
/// Bias-reduced linearisation (Bell and McCaffrey 2002, "CR2"; Pustejovsky and Tipton 2018): each
/// position's score is divided by the square root of what the fit takes off it, so that a few
/// positions do not look too certain. Intervals use Student's t with the degrees of freedom that
/// match the variance's own mean and variance, under a working model in which readings of one
/// position share an offset (Imbens and Kolesár 2016). The same applies to every estimator whose
/// criterion is a sum over positions, with its second derivatives in place of XᵀX.
/// Complexity: O(positions × parameters³).
struct ClusteredCovariance {
  let covariance: Matrix
  private let positions: [PositionInformation]
  /// The inverse root of the information: S with S² = M⁻¹.
  private let root: Matrix
  /// What each position has of it, H = S Mg S, and (1 − H)^−½.
  private let shares: [Matrix]
  private let adjustments: [Matrix]
  /// The share of the shared offset's variance in that of single readings.
  private let ratio: Double

  /// - Parameters:
  ///   - positions: what each position contributes.
  ///   - ratio: variance of the offset that a position's readings share, over that of the rest.
  /// - Returns: nil where the information has no inverse.
  init?(_ positions: [PositionInformation], ratio: Double) {
    guard let size = positions.first?.score.count else { return nil }
    let total = positions.reduce(Matrix(zeros: size, size)) { $0 + $1.information }
    guard let inverse = total.positiveInverse, let eigen = SymmetricEigen(inverse) else { return nil }
    let root = eigen.map { max($0, 0).squareRoot() }
    var shares: [Matrix] = []
    var adjustments: [Matrix] = []
    shares.reserveCapacity(positions.count)
    adjustments.reserveCapacity(positions.count)
    var covariance = Matrix(zeros: size, size)
    for position in positions {
      let share = root * position.information * root
      guard let eigen = SymmetricEigen(share) else { return nil }
      let adjustment = eigen.map(Self.adjustment)
      let moved = root * (adjustment * (root * position.score))
      covariance.addOuter(moved)
      shares.append(share)
      adjustments.append(adjustment)
    }
    self.positions = positions
    self.root = root
    self.shares = shares
    self.adjustments = adjustments
    self.ratio = ratio
    self.covariance = covariance
  }

  /// 1/√(1 − h), and 0 where a position alone determines a parameter, since its score is then 0.
  private static func adjustment(_ share: Double) -> Double {
    let rest = 1 - min(max(share, 0), 1)
    return rest < 1e-9 ? 0 : 1 / rest.squareRoot()
  }

  /// How far leaving out a position would move the estimates, to first order; exact for least squares.
  func influence(of position: Int) -> [Double] {
    let adjustment = adjustments[position]
    return root * (adjustment * (adjustment * (root * positions[position].score)))
  }

  /// The degrees of freedom of the variance of a linear combination of the estimates.
  func degreesOfFreedom(of combination: [Double]) -> Double {
    let size = combination.count
    let direction = root * combination
    // P = δ a_g + y_gᵀ J y_h is the quadratic form whose trace is the variance; y = (q, α t).
    var diagonal: [Double] = []
    var vectors: [[Double]] = []
    var offsets = Matrix(zeros: size, size)
    for (index, position) in positions.enumerated() {
      // The first column of the design is 1: the sum of a position's rows is that of its information.
      let rows = root * (0..<size).map { position.information[$0, 0] }
      let u = adjustments[index] * direction
      let q = shares[index] * u
      let shared = dot(rows, u)
      diagonal.append(dot(u, q) + ratio * shared * shared)
      vectors.append(q + rows.map { $0 * shared })
      offsets.addOuter(rows)
    }
    var form = Matrix(zeros: 2 * size, 2 * size)
    for row in 0..<size {
      form[row, row] -= 1
      form[row, size + row] -= ratio
      form[size + row, row] -= ratio
      for column in 0..<size { form[row, column] += ratio * offsets[row, column] }
    }
    var trace = 0.0
    var squares = 0.0
    var gram = Matrix(zeros: 2 * size, 2 * size)
    for (own, vector) in zip(diagonal, vectors) {
      let cross = form.form(vector)
      trace += own + cross
      squares += own * own + 2 * own * cross
      gram.addOuter(vector)
    }
    let product = form * gram
    let square = product * product
    squares += (0..<2 * size).reduce(0) { $0 + square[$1, $1] }
    let freedom = trace * trace / squares
    return freedom.isFinite && freedom > 0 ? max(freedom, 1) : 1
  }
}
