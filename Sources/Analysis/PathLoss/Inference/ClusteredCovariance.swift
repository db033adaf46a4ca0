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
/// Complexity: O(positions × parameters³).
struct ClusteredCovariance {
  let covariance: Matrix
  private let positions: [PositionInformation]
  /// The inverse root of the information: S with S² = M⁻¹.
  private let root: Matrix
  /// Of each position, times S from both sides: its information H; the variance V of its score by
  /// the working model; and A with A R A = V, where R is the variance of the score that the fit
  /// leaves.
  private let shares: [Matrix]
  private let eigens: [SymmetricEigen]
  private let variances: [Matrix]
  private let adjustments: [Matrix]

  /// - Parameters:
  ///   - positions: what each position contributes.
  ///   - ratio: variance of the offset that a position's readings share, over that of the rest,
  ///     over the information of one reading.
  ///   - sharesInAdjustment: whether the offset is in the adjustment too, not in the degrees of
  ///     freedom only: where information is that of readings which all tell the same of it.
  /// - Returns: nil where the information has no inverse.
  init?(_ positions: [PositionInformation], ratio: Double, sharesInAdjustment: Bool) {
    guard let size = positions.first?.score.count else { return nil }
    let total = positions.reduce(Matrix(zeros: size, size)) { $0 + $1.information }
    guard let inverse = total.positiveInverse, let eigen = SymmetricEigen(inverse) else {
      return nil
    }
    let root = eigen.map { max($0, 0).squareRoot() }
    var shares: [Matrix] = []
    var variances: [Matrix] = []
    var expected: [Matrix] = []
    var sum = Matrix(zeros: size, size)
    for position in positions {
      let share = root * position.information * root
      // The first column of the design is 1: the sum of a position's rows is that of its
      // information.
      let rows = root * (0..<size).map { position.information[$0, 0] }
      var variance = share
      variance.addOuter(rows.map { $0 * ratio.squareRoot() })
      let model = sharesInAdjustment ? variance : share
      sum = sum + model
      shares.append(share)
      variances.append(variance)
      expected.append(model)
    }
    // A position of which a part of the criterion curves the wrong way has no variance by the
    // model.
    let eigens = shares.compactMap(SymmetricEigen.init)
    guard eigens.count == shares.count else { return nil }
    let isModelled = sharesInAdjustment && eigens.allSatisfy { ($0.values.first ?? 0) > -1e-9 }
    var adjustments: [Matrix] = []
    var covariance = Matrix(zeros: size, size)
    for (index, position) in positions.enumerated() {
      let (share, variance) = (shares[index], expected[index])
      let left = variance - share * variance - variance * share + share * sum * share
      let adjustment =
        isModelled ? Self.mean(of: variance, overInverseOf: left) : eigens[index].map(Self.plain)
      guard let adjustment else { return nil }
      covariance.addOuter(root * (adjustment * (root * position.score)))
      adjustments.append(adjustment)
    }
    self.positions = positions
    self.root = root
    self.shares = shares
    self.eigens = eigens
    self.variances = variances
    self.adjustments = adjustments
    self.covariance = covariance
  }

  /// The adjustment of independent readings, 1/√(1 − h): 1 where the information is not positive,
  /// and no more than that of a position that has nearly all of it.
  private static func plain(_ share: Double) -> Double {
    1 / (1 - min(max(share, 0), 0.99)).squareRoot()
  }

  /// The symmetric A with A R A = V, on what R spans: the geometric mean of V and the inverse of R
  /// (Bhatia, "Positive definite matrices", 2007, section 4.1).
  private static func mean(of v: Matrix, overInverseOf r: Matrix) -> Matrix? {
    guard let eigen = SymmetricEigen(r), let largest = eigen.values.last else { return nil }
    let limit = 1e-10 * max(largest, 0)
    let half = eigen.map { $0 > limit ? $0.squareRoot() : 0 }
    let inverse = eigen.map { $0 > limit ? 1 / $0.squareRoot() : 0 }
    guard let middle = SymmetricEigen(half * v * half) else { return nil }
    return inverse * middle.map { max($0, 0).squareRoot() } * inverse
  }

  /// How far leaving out a position would move the estimates, to first order; exact for least
  /// squares.
  ///
  /// - Returns: nil where the others do not determine the estimates.
  func influence(of position: Int) -> [Double]? {
    let eigen = eigens[position]
    guard let largest = eigen.values.last, largest < 1 - 1e-9 else { return nil }
    return root * (eigen.map { 1 / (1 - $0) } * (root * positions[position].score))
  }

  /// The largest share that a position has in any combination of the estimates, 0 to 1.
  var largestShare: (position: Int, share: Double)? {
    eigens.indices.compactMap { index in eigens[index].values.last.map { (index, $0) } }
      .max { $0.1 < $1.1 }
  }

  /// The degrees of freedom of the variance of a linear combination of the estimates.
  func degreesOfFreedom(of combination: [Double]) -> Double {
    let size = combination.count
    let direction = root * combination
    // The covariance of what positions g and h add is δ a_g + y_gᵀ J y_h, with y = (q, r).
    var diagonal: [Double] = []
    var vectors: [[Double]] = []
    for index in positions.indices {
      let b = adjustments[index] * direction
      let q = shares[index] * b
      let r = variances[index] * b
      diagonal.append(dot(b, r))
      vectors.append(q + r)
    }
    let sum = variances.reduce(Matrix(zeros: size, size), +)
    var form = Matrix(zeros: 2 * size, 2 * size)
    for row in 0..<size {
      form[row, size + row] = -1
      form[size + row, row] = -1
      for column in 0..<size { form[row, column] = sum[row, column] }
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
