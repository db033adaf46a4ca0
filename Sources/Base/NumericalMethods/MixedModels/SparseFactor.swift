import RealModule

/// The L D Lᵀ factorisation of a sparse symmetric positive definite matrix with a fixed pattern.
///
/// Row by row along the elimination tree: Davis, "Algorithm 849: a concise sparse Cholesky
/// factorization package", 2005. The order of rows is the caller's; fill depends on it.
/// Complexity: the sum of the squared counts of L's columns.
struct SparseFactor {
  let size: Int
  /// The pattern above the diagonal: column k has the rows `rows[starts[k]..<starts[k + 1]]`.
  private let starts: [Int]
  private let rows: [Int]
  /// The first row below the diagonal in L's column k, or -1.
  private let parent: [Int]
  /// L's row k has the columns `paths[pathStarts[k]..<pathStarts[k + 1]]`, each after those it
  /// needs.
  private let pathStarts: [Int]
  private let paths: [Int]
  /// L column by column.
  private let columnStarts: [Int]
  private var columnRows: [Int]
  private var columnValues: [Double]
  private var pivots: [Double]
  private var work: [Double]
  private var filled: [Int]

  /// Finds the elimination tree and L's pattern.
  init(starts: [Int], rows: [Int]) {
    let size = starts.count - 1
    var parent = [Int](repeating: -1, count: size)
    var mark = [Int](repeating: -1, count: size)
    var counts = [Int](repeating: 0, count: size)
    var paths: [Int] = []
    var pathStarts = [0]
    for column in 0..<size {
      mark[column] = column
      var climbs: [[Int]] = []
      for entry in starts[column]..<starts[column + 1] {
        var row = rows[entry]
        var climb: [Int] = []
        while mark[row] != column {
          if parent[row] < 0 { parent[row] = column }
          counts[row] += 1
          mark[row] = column
          climb.append(row)
          row = parent[row]
        }
        climbs.append(climb)
      }
      // A later climb ends where an earlier one began, so it precedes it.
      for climb in climbs.reversed() { paths += climb }
      pathStarts.append(paths.count)
    }
    var columnStarts = [0]
    for count in counts { columnStarts.append(columnStarts[columnStarts.count - 1] + count) }
    self.size = size
    self.starts = starts
    self.rows = rows
    self.parent = parent
    self.pathStarts = pathStarts
    self.paths = paths
    self.columnStarts = columnStarts
    columnRows = Array(repeating: 0, count: columnStarts[size])
    columnValues = Array(repeating: 0, count: columnStarts[size])
    pivots = Array(repeating: 1, count: size)
    work = Array(repeating: 0, count: size)
    filled = Array(repeating: 0, count: size)
  }

  /// Factors new values: the diagonal, and one value per entry of the pattern.
  mutating func factor(diagonal: [Double], values: [Double]) {
    for k in 0..<size { filled[k] = columnStarts[k] }
    for column in 0..<size {
      for entry in starts[column]..<starts[column + 1] { work[rows[entry]] = values[entry] }
      var pivot = diagonal[column]
      for step in pathStarts[column]..<pathStarts[column + 1] {
        let row = paths[step]
        let value = work[row]
        work[row] = 0
        let end = filled[row]
        for entry in columnStarts[row]..<end {
          work[columnRows[entry]] -= columnValues[entry] * value
        }
        let below = value / pivots[row]
        pivot -= below * value
        columnRows[end] = column
        columnValues[end] = below
        filled[row] = end + 1
      }
      pivots[column] = pivot
    }
  }

  var logDeterminant: Double { pivots.reduce(0) { $0 + .log($1) } }

  /// Replaces three right-hand sides by the solutions of A x = b.
  ///
  /// - Parameter vectors: The three values of each row one after the other, so that L is read once.
  func solve(_ vectors: inout [Double]) {
    for column in 0..<size {
      let (a, b, c) = (vectors[3 * column], vectors[3 * column + 1], vectors[3 * column + 2])
      for entry in columnStarts[column]..<columnStarts[column + 1] {
        let place = 3 * columnRows[entry]
        let value = columnValues[entry]
        vectors[place] -= value * a
        vectors[place + 1] -= value * b
        vectors[place + 2] -= value * c
      }
    }
    for column in stride(from: size - 1, through: 0, by: -1) {
      let pivot = pivots[column]
      var a = vectors[3 * column] / pivot
      var b = vectors[3 * column + 1] / pivot
      var c = vectors[3 * column + 2] / pivot
      for entry in columnStarts[column]..<columnStarts[column + 1] {
        let place = 3 * columnRows[entry]
        let value = columnValues[entry]
        a -= value * vectors[place]
        b -= value * vectors[place + 1]
        c -= value * vectors[place + 2]
      }
      vectors[3 * column] = a
      vectors[3 * column + 1] = b
      vectors[3 * column + 2] = c
    }
  }

  /// Returns an element of the diagonal of A⁻¹: O(entries of L on the path up the tree).
  mutating func inverseDiagonal(_ place: Int) -> Double {
    work[place] = 1
    var sum = 0.0
    var column = place
    while column >= 0 {
      let value = work[column]
      work[column] = 0
      sum += value * value / pivots[column]
      for entry in columnStarts[column]..<columnStarts[column + 1] {
        work[columnRows[entry]] -= columnValues[entry] * value
      }
      column = parent[column]
    }
    return sum
  }
}

/// The pattern of Zᵀ Z: the levels of random effects that occur together, with the numbers of
/// observations they share.
///
/// Levels become columns in order of the number of others they occur with, so that those with few,
/// mostly positions, are eliminated first and cause little fill.
struct SparsePattern {
  /// For each effect, the column of each level.
  let columnsOfLevels: [[Int]]
  /// Above the diagonal: column k has the rows `rows[starts[k]..<starts[k + 1]]`.
  let starts: [Int]
  let rows: [Int]
  /// The number of shared observations, per entry.
  let values: [Double]
  /// The number of observations of each column.
  let diagonal: [Double]
  private let effectOfColumn: [Int]

  /// - Parameters:
  ///   - levels: The level of each row, per effect.
  ///   - weights: The observations of each row.
  init(levels: [[Int]], weights: [Double]) {
    var firsts: [Int] = []
    var size = 0
    for effect in levels {
      firsts.append(size)
      size += (effect.max() ?? -1) + 1
    }
    var diagonal = [Double](repeating: 0, count: size)
    var meetings: [(high: Int, low: Int, weight: Double)] = []
    for (row, weight) in weights.enumerated() {
      for (effect, place) in levels.indices.map({ ($0, firsts[$0] + levels[$0][row]) }) {
        diagonal[place] += weight
        for other in 0..<effect {
          meetings.append((place, firsts[other] + levels[other][row], weight))
        }
      }
    }
    meetings = Self.merged(meetings)
    var degrees = [Int](repeating: 0, count: size)
    for one in meetings {
      degrees[one.high] += 1
      degrees[one.low] += 1
    }
    let order = (0..<size).sorted { (degrees[$0], $0) < (degrees[$1], $1) }
    var columnOf = [Int](repeating: 0, count: size)
    for (column, place) in order.enumerated() { columnOf[place] = column }
    let entries = Self.merged(
      meetings.map { one in
        let (a, b) = (columnOf[one.high], columnOf[one.low])
        return (max(a, b), min(a, b), one.weight)
      })
    var starts = [Int](repeating: 0, count: size + 1)
    for entry in entries { starts[entry.high + 1] += 1 }
    for column in 0..<size { starts[column + 1] += starts[column] }
    var effectOfColumn = [Int](repeating: 0, count: size)
    columnsOfLevels = levels.indices.map { effect in
      let end = effect + 1 < firsts.count ? firsts[effect + 1] : size
      for place in firsts[effect]..<end { effectOfColumn[columnOf[place]] = effect }
      return (firsts[effect]..<end).map { columnOf[$0] }
    }
    self.starts = starts
    self.effectOfColumn = effectOfColumn
    self.diagonal = order.map { diagonal[$0] }
    rows = entries.map(\.low)
    values = entries.map(\.weight)
  }

  /// Sets the values of I + θ Zᵀ Z θ.
  func scale(by ratios: [Double], diagonal: inout [Double], values: inout [Double]) {
    for column in self.diagonal.indices {
      let ratio = ratios[effectOfColumn[column]]
      diagonal[column] = 1 + ratio * ratio * self.diagonal[column]
      for entry in starts[column]..<starts[column + 1] {
        values[entry] = ratio * ratios[effectOfColumn[rows[entry]]] * self.values[entry]
      }
    }
  }

  /// Returns the entries sorted by the higher index, then the lower, with the weights of equal
  /// pairs added.
  private static func merged(
    _ meetings: [(high: Int, low: Int, weight: Double)]
  ) -> [(high: Int, low: Int, weight: Double)] {
    var merged: [(high: Int, low: Int, weight: Double)] = []
    for one in meetings.sorted(by: { ($0.high, $0.low) < ($1.high, $1.low) }) {
      if let last = merged.last, (last.high, last.low) == (one.high, one.low) {
        merged[merged.count - 1].weight += one.weight
      } else {
        merged.append(one)
      }
    }
    return merged
  }
}
