extension Matrix {
  /// Orthonormal columns that span those of the matrix to working precision; at least one.
  ///
  /// Gram and Schmidt's method with pivots, each column twice (Golub and Van Loan, "Matrix
  /// computations", section 5.2). O(rows × columns × rank).
  package var orthonormalColumns: Matrix {
    var left = (0..<columns).map { column in (0..<rows).map { self[$0, column] } }
    var found: [[Double]] = []
    var largest = 0.0
    while found.count < min(rows, columns) {
      let lengths = left.map { dot($0, $0) }
      guard let pivot = lengths.indices.max(by: { lengths[$0] < lengths[$1] }) else { break }
      largest = max(largest, lengths[pivot])
      guard lengths[pivot] > 1e-24 * largest, lengths[pivot].isFinite else { break }
      var next = left.remove(at: pivot)
      for other in found { next = Self.without(other, next) }
      let length = dot(next, next).squareRoot()
      next = next.map { $0 / length }
      found.append(next)
      left = left.map { Self.without(next, $0) }
    }
    if found.isEmpty { found = [[1] + [Double](repeating: 0, count: rows - 1)] }
    return Matrix(rows: found.count, columns: rows, found.flatMap(\.self)).transposed
  }

  /// A vector without its part along a unit vector.
  private static func without(_ unit: [Double], _ vector: [Double]) -> [Double] {
    let part = dot(unit, vector)
    return zip(vector, unit).map { $0 - part * $1 }
  }
}
