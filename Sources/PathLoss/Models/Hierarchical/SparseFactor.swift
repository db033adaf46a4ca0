import RealModule

/// L D Lᵀ of a sparse symmetric positive definite matrix whose pattern stays as its values change.
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
  private var parent: [Int]
  private var columnStarts: [Int]
  private var columnRows: [Int]
  private var columnValues: [Double]
  private var pivots: [Double]
  private var work: [Double]
  private var mark: [Int]
  private var path: [Int]
  private var filled: [Int]

  /// Finds the elimination tree and L's pattern.
  init(starts: [Int], rows: [Int]) {
    let size = starts.count - 1
    var parent = [Int](repeating: -1, count: size)
    var mark = [Int](repeating: -1, count: size)
    var counts = [Int](repeating: 0, count: size)
    for column in 0..<size {
      mark[column] = column
      for entry in starts[column]..<starts[column + 1] {
        var row = rows[entry]
        while mark[row] != column {
          if parent[row] < 0 { parent[row] = column }
          counts[row] += 1
          mark[row] = column
          row = parent[row]
        }
      }
    }
    var columnStarts = [0]
    for count in counts { columnStarts.append(columnStarts[columnStarts.count - 1] + count) }
    self.size = size
    self.starts = starts
    self.rows = rows
    self.parent = parent
    self.columnStarts = columnStarts
    columnRows = Array(repeating: 0, count: columnStarts[size])
    columnValues = Array(repeating: 0, count: columnStarts[size])
    pivots = Array(repeating: 1, count: size)
    work = Array(repeating: 0, count: size)
    self.mark = mark
    path = Array(repeating: 0, count: size)
    filled = Array(repeating: 0, count: size)
  }

  /// Takes new values: the diagonal, and one for each entry of the pattern.
  mutating func factor(diagonal: [Double], values: [Double]) {
    for k in 0..<size {
      mark[k] = -1
      filled[k] = columnStarts[k]
    }
    for column in 0..<size {
      var top = size
      mark[column] = column
      for entry in starts[column]..<starts[column + 1] {
        var row = rows[entry]
        work[row] += values[entry]
        // The entry's path up the tree, put before those that come later in the elimination.
        var length = 0
        while mark[row] != column {
          path[length] = row
          length += 1
          mark[row] = column
          row = parent[row]
        }
        while length > 0 {
          length -= 1
          top -= 1
          path[top] = path[length]
        }
      }
      var pivot = diagonal[column]
      for step in top..<size {
        let row = path[step]
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

  /// Replaces b by the solution of A x = b.
  func solve(_ vector: inout [Double]) {
    for column in 0..<size {
      let value = vector[column]
      guard value != 0 else { continue }
      for entry in columnStarts[column]..<columnStarts[column + 1] {
        vector[columnRows[entry]] -= columnValues[entry] * value
      }
    }
    for column in stride(from: size - 1, through: 0, by: -1) {
      var value = vector[column] / pivots[column]
      for entry in columnStarts[column]..<columnStarts[column + 1] {
        value -= columnValues[entry] * vector[columnRows[entry]]
      }
      vector[column] = value
    }
  }

  /// The element of A⁻¹ at a place of the diagonal: O(what L has on the way up the tree).
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
