import NumericalMethods

/// A weighted least-squares fit of a slope with free levels of two factors.
///
/// The factor with more levels is eliminated, so that time is cubic in the number of levels of the
/// other.
struct TwoWayFit {
  /// One observation.
  struct Cell {
    var first: Int
    var second: Int
    var x: Double
    var y: Double
    var weight: Double

    /// The observation with one level of the first factor.
    var withoutFirst: Cell { Cell(first: 0, second: second, x: x, y: y, weight: weight) }
  }

  /// The weighted sum of squared residuals.
  let squares: Double
  /// The number of determined parameters.
  let rank: Int
  /// The number of independent levels of the first factor in one level of the second: the square of
  /// the trace of the covariance of residuals over the trace of its square.
  let effectiveFactorLevels: Double

  /// - Parameter most: The largest number of levels of the smaller factor.
  /// - Returns: `nil` if the factors have more levels.
  init?(_ cells: [Cell], most: Int) {
    let first = numbered(cells.map(\.first))
    let second = numbered(cells.map(\.second))
    let counts = ((first.max() ?? -1) + 1, (second.max() ?? -1) + 1)
    // The eliminated factor is `outer`.
    let (outer, inner) = counts.0 >= counts.1 ? (first, second) : (second, first)
    let (outerCount, innerCount) = counts.0 >= counts.1 ? counts : (counts.1, counts.0)
    guard innerCount <= most else { return nil }
    // The columns are the levels of the inner factor, x and y, each about its mean in the outer one.
    let size = innerCount + 2
    let (x, y) = (innerCount, innerCount + 1)
    var groups = [[Int]](repeating: [], count: outerCount)
    for (cell, level) in outer.enumerated() { groups[level].append(cell) }
    var products = Matrix(zeros: size, size)
    var means: [(x: Double, y: Double)] = []
    for group in groups {
      let total = group.reduce(0) { $0 + cells[$1].weight }
      let meanX = group.reduce(0) { $0 + cells[$1].weight * cells[$1].x } / total
      let meanY = group.reduce(0) { $0 + cells[$1].weight * cells[$1].y } / total
      means.append((meanX, meanY))
      var shares: [Int: Double] = [:]
      for cell in group {
        let (one, weight) = (cells[cell], cells[cell].weight)
        let (dx, dy) = (one.x - meanX, one.y - meanY)
        shares[inner[cell], default: 0] += weight
        products[inner[cell], x] += weight * dx
        products[inner[cell], y] += weight * dy
        products[x, x] += weight * dx * dx
        products[x, y] += weight * dx * dy
        products[y, y] += weight * dy * dy
      }
      for (level, weight) in shares {
        products[level, level] += weight
        for (other, share) in shares { products[level, other] -= weight * share / total }
      }
    }
    for level in 0..<innerCount {
      products[x, level] = products[level, x]
      products[y, level] = products[level, y]
    }
    products[y, x] = products[x, y]
    // The weighted sum of squares of each column before the elimination.
    var scale = [Double](repeating: 0, count: size)
    let middle = cells.reduce(0) { $0 + $1.x } / Double(cells.count)
    for (cell, level) in zip(cells, inner) {
      scale[level] += cell.weight
      scale[x] += cell.weight * (cell.x - middle) * (cell.x - middle)
    }
    var rank = outerCount
    var solved: [Int] = []
    // Gauss and Jordan with columns that add nothing left out.
    for pivot in 0..<(size - 1) {
      let value = products[pivot, pivot]
      guard value > 1e-9 * scale[pivot] else { continue }
      rank += 1
      solved.append(pivot)
      for column in 0..<size { products[pivot, column] /= value }
      for row in 0..<size where row != pivot {
        let factor = products[row, pivot]
        guard factor != 0 else { continue }
        for column in 0..<size { products[row, column] -= factor * products[pivot, column] }
      }
    }
    self.rank = rank
    var coefficients = [Double](repeating: 0, count: size - 1)
    for pivot in solved { coefficients[pivot] = products[pivot, y] }
    var residuals = [Double](repeating: 0, count: cells.count)
    var squares = 0.0
    for group in groups {
      let total = group.reduce(0) { $0 + cells[$1].weight }
      func rest(_ cell: Int) -> Double {
        cells[cell].y - coefficients[x] * cells[cell].x - coefficients[inner[cell]]
      }
      let level = group.reduce(0) { $0 + cells[$1].weight * rest($1) } / total
      for cell in group {
        residuals[cell] = rest(cell) - level
        squares += cells[cell].weight * residuals[cell] * residuals[cell]
      }
    }
    self.squares = squares
    let whitened = cells.indices.map { cells[$0].weight.squareRoot() * residuals[$0] }
    effectiveFactorLevels = Self.effectiveLevels(
      whitened, first: first, second: second, counts: counts)
  }

  /// Returns (tr Σ)² / tr Σ² of the covariance Σ of residuals over the levels of the first factor,
  /// from one sample per level of the second, without the bias of few samples: for n degrees of
  /// freedom, the sum of squares S has E tr S² = n (n + 1) tr Σ² + n (tr Σ)² and E (tr S)² =
  /// n² (tr Σ)² + 2 n tr Σ².
  private static func effectiveLevels(
    _ residuals: [Double], first: [Int], second: [Int], counts: (Int, Int)
  ) -> Double {
    var members = [[Int]](repeating: [], count: counts.1)
    for (cell, level) in second.enumerated() { members[level].append(cell) }
    // Levels of the second factor that share levels of the first are samples of one covariance.
    var group = Array(0..<counts.1)
    func root(_ level: Int) -> Int {
      var level = level
      while group[level] != level { level = group[level] }
      return level
    }
    var owner = [Int](repeating: -1, count: counts.0)
    for (cell, level) in second.enumerated() {
      let known = owner[first[cell]]
      if known >= 0 { group[root(level)] = root(known) }
      owner[first[cell]] = level
    }
    var samples: [Int: (count: Int, trace: Double, squares: Double)] = [:]
    var row = [Double](repeating: 0, count: counts.0)
    // A thousand samples are enough, and time grows with their square.
    members.removeLast(max(0, members.count - 1000))
    for (level, cells) in members.enumerated() {
      for cell in cells { row[first[cell]] += residuals[cell] }
      let own = cells.reduce(0) { $0 + row[first[$1]] * residuals[$1] }
      var squares = own * own
      for others in members[(level + 1)...] {
        let product = others.reduce(0) { $0 + row[first[$1]] * residuals[$1] }
        squares += 2 * product * product
      }
      for cell in cells { row[first[cell]] = 0 }
      let known = samples[root(level)] ?? (0, 0, 0)
      samples[root(level)] = (known.count + 1, known.trace + own, known.squares + squares)
    }
    var (trace, squares) = (0.0, 0.0)
    for sample in samples.values where sample.count > 1 {
      let n = Double(sample.count - 1)
      trace += sample.trace / n
      squares +=
        n > 1
        ? max((n * sample.squares - sample.trace * sample.trace) / (n * (n - 1) * (n + 2)), 0)
        : sample.trace * sample.trace
    }
    return squares > 0 ? trace * trace / squares : .infinity
  }
}
