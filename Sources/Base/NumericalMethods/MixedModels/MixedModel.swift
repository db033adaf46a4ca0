import RealModule

/// A linear mixed model: a straight line with random offsets of several groupings, and its
/// restricted likelihood (REML) for given ratios of standard deviations.
///
/// Let θ be the ratio of an effect's standard deviation to the residual one, Z the rows' levels and
/// u independent with the residual variance σ². Then y = X β + Z θ u + e. Bates et al., "Fitting
/// linear mixed-effects models using lme4", 2015, sections 3.1 to 3.4: A = I + θ Zᵀ Z θ is factored
/// once per θ, which eliminates the levels in the order of least fill. For θ
/// = 0, A = I: the boundary is not a special case.
package struct MixedModel {
  /// The mean of observations that share all levels.
  package struct Row {
    /// The number of observations.
    package var n: Double
    package var x: Double
    package var y: Double

    package init(n: Double, x: Double, y: Double) { (self.n, self.x, self.y) = (n, x, y) }
  }

  /// The terms of the likelihood and the estimates, for given ratios.
  package struct Evaluation {
    /// log |A| + log |Xᵀ V⁻¹ X|.
    package var logDeterminants = 0.0
    /// (Xᵀ V⁻¹ X)⁻¹, the covariance over σ²: that of the line's level at the centre, of level and
    /// slope, and of the slope.
    package var covariance = (level: 0.0, both: 0.0, slope: 0.0)
    package var level = 0.0
    package var slope = 0.0
    /// The weighted sum of squared residuals, (N − 2) σ², without the part within rows.
    ///
    /// That part is constant, and with many observations so large that it would drown the digits of this
    /// one.
    package var excess = 0.0
  }

  /// The number of observations.
  package let count: Double
  package let rows: [Row]
  /// The levels of all effects, as columns of A: `columns[row * effects + effect]`.
  private let columns: [Int]
  /// For each effect, the column of each of its levels.
  package let columnsOfLevels: [[Int]]
  private let pattern: SparsePattern
  private var factor: SparseFactor
  private var diagonal: [Double]
  private var values: [Double]
  /// The sums of squares and products within rows, which no offset can change.
  private let within: (xx: Double, xy: Double, yy: Double)
  /// A⁻¹ θ Zᵀ of ones, of x and of y, three numbers per column of A: the responses of the offsets.
  package private(set) var responses: [Double]

  /// - Parameters:
  ///   - rows: The rows, with x and y centred, so that no digits are lost.
  ///   - levels: The level of each row, per effect.
  ///   - within: The sums over the observations about the rows' means.
  package init(
    rows: [Row], levels: [[Int]], within: (xx: Double, xy: Double, yy: Double) = (0, 0, 0)
  ) {
    count = rows.reduce(0) { $0 + $1.n }
    self.rows = rows
    self.within = within
    pattern = SparsePattern(levels: levels, weights: rows.map(\.n))
    columnsOfLevels = pattern.columnsOfLevels
    var columns: [Int] = []
    columns.reserveCapacity(rows.count * levels.count)
    for row in rows.indices {
      for (effect, levels) in levels.enumerated() {
        columns.append(pattern.columnsOfLevels[effect][levels[row]])
      }
    }
    self.columns = columns
    factor = SparseFactor(starts: pattern.starts, rows: pattern.rows)
    diagonal = pattern.diagonal
    values = pattern.values
    responses = Array(repeating: 0, count: 3 * pattern.diagonal.count)
  }

  package var effects: Int { columnsOfLevels.count }

  /// Returns −2 times the restricted log-likelihood at the best σ, less a constant.
  package mutating func criterion(_ ratios: [Double]) -> Double {
    let found = evaluate(ratios)
    let residuals =
      within.yy > 0 ? .log(onePlus: found.excess / within.yy) : Double.log(found.excess)
    return found.logDeterminants + (count - 2) * residuals
  }

  /// Returns the σ² of maximum likelihood.
  package func variance(_ found: Evaluation) -> Double { (within.yy + found.excess) / (count - 2) }

  /// Solves for the line and the offsets.
  ///
  /// - Parameter ratios: θ of each effect, at least 0.
  package mutating func evaluate(_ ratios: [Double]) -> Evaluation {
    pattern.scale(by: ratios, diagonal: &diagonal, values: &values)
    factor.factor(diagonal: diagonal, values: values)
    respond(ratios)
    // Products of vectors under V⁻¹ are computed as minimal sums of squares, without subtraction.
    var ones = 0.0
    var (onesX, onesY) = (0.0, 0.0)
    var (xx, xy, yy) = (within.xx, within.xy, 0.0)
    for (index, row) in rows.enumerated() {
      var (one, x, y) = (1.0, row.x, row.y)
      for effect in 0..<effects {
        let place = 3 * columns[index * effects + effect]
        let ratio = ratios[effect]
        one -= ratio * responses[place]
        x -= ratio * responses[place + 1]
        y -= ratio * responses[place + 2]
      }
      ones += row.n * one * one
      onesX += row.n * one * x
      onesY += row.n * one * y
      xx += row.n * x * x
      xy += row.n * x * y
      yy += row.n * y * y
    }
    for place in stride(from: 0, to: responses.count, by: 3) {
      let (one, x, y) = (responses[place], responses[place + 1], responses[place + 2])
      ones += one * one
      onesX += one * x
      onesY += one * y
      xx += x * x
      xy += x * y
      yy += y * y
    }
    let determinant = ones * xx - onesX * onesX
    var found = Evaluation()
    found.covariance = (xx / determinant, -onesX / determinant, ones / determinant)
    found.level = (xx * onesY - onesX * xy) / determinant
    found.slope = (ones * xy - onesX * onesY) / determinant
    found.excess = yy - found.level * onesY - found.slope * xy
    found.logDeterminants = factor.logDeterminant + .log(determinant)
    return found
  }

  /// Returns the element of A⁻¹ on the diagonal at a column.
  package mutating func inverseDiagonal(_ column: Int) -> Double { factor.inverseDiagonal(column) }

  private mutating func respond(_ ratios: [Double]) {
    for place in responses.indices { responses[place] = 0 }
    for (index, row) in rows.enumerated() {
      for effect in 0..<effects {
        let place = 3 * columns[index * effects + effect]
        let weight = ratios[effect] * row.n
        responses[place] += weight
        responses[place + 1] += weight * row.x
        responses[place + 2] += weight * row.y
      }
    }
    factor.solve(&responses)
  }
}
