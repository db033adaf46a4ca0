/// A small dense matrix, row by row, for the covariances and information of a few parameters.
package struct Matrix: Equatable, Sendable {
  package let rows: Int
  package let columns: Int
  package var elements: [Double]

  /// - Precondition: there are `rows` × `columns` elements.
  package init(rows: Int, columns: Int, _ elements: [Double]) {
    precondition(
      elements.count == rows * columns,
      "expected \(rows) × \(columns) elements, found \(elements.count)")
    self.rows = rows
    self.columns = columns
    self.elements = elements
  }

  /// Creates a matrix of zeros.
  package init(zeros rows: Int, _ columns: Int) {
    self.init(rows: rows, columns: columns, [Double](repeating: 0, count: rows * columns))
  }

  /// Creates a square matrix with these elements on its diagonal.
  package init(diagonal: [Double]) {
    self.init(zeros: diagonal.count, diagonal.count)
    for (index, value) in diagonal.enumerated() { self[index, index] = value }
  }

  package subscript(row: Int, column: Int) -> Double {
    get { elements[row * columns + column] }
    set { elements[row * columns + column] = newValue }
  }

  package var transposed: Matrix {
    var result = Matrix(zeros: columns, rows)
    for row in 0..<rows { for column in 0..<columns { result[column, row] = self[row, column] } }
    return result
  }

  package static func + (a: Matrix, b: Matrix) -> Matrix {
    Matrix(rows: a.rows, columns: a.columns, zip(a.elements, b.elements).map { $0 + $1 })
  }

  package static func - (a: Matrix, b: Matrix) -> Matrix {
    Matrix(rows: a.rows, columns: a.columns, zip(a.elements, b.elements).map { $0 - $1 })
  }

  package static func * (scale: Double, a: Matrix) -> Matrix {
    Matrix(rows: a.rows, columns: a.columns, a.elements.map { scale * $0 })
  }

  package static func * (a: Matrix, b: Matrix) -> Matrix {
    var result = Matrix(zeros: a.rows, b.columns)
    for row in 0..<a.rows {
      for inner in 0..<a.columns {
        let factor = a[row, inner]
        for column in 0..<b.columns { result[row, column] += factor * b[inner, column] }
      }
    }
    return result
  }

  package static func * (a: Matrix, vector: [Double]) -> [Double] {
    (0..<a.rows).map { row in
      (0..<a.columns).reduce(0) { $0 + a[row, $1] * vector[$1] }
    }
  }

  /// Returns the outer product of two vectors.
  package static func outer(_ a: [Double], _ b: [Double]) -> Matrix {
    Matrix(rows: a.count, columns: b.count, a.flatMap { x in b.map { x * $0 } })
  }

  /// Adds the outer product of a vector with itself, times a factor.
  package mutating func addOuter(_ vector: [Double], times factor: Double = 1) {
    addOuter(vector, vector, times: factor)
  }

  /// Adds the outer product of two vectors, times a factor; rows of a zero remain as they are.
  package mutating func addOuter(_ a: [Double], _ b: [Double], times factor: Double = 1) {
    precondition(a.count == rows && b.count == columns, "expected vectors of the matrix's size")
    elements.withUnsafeMutableBufferPointer { elements in
      b.withUnsafeBufferPointer { b in
        for row in 0..<rows where a[row] != 0 {
          let scale = factor * a[row]
          for column in 0..<columns { elements[row &* columns &+ column] += scale * b[column] }
        }
      }
    }
  }

  /// Returns the sum of some rows, each times a factor.
  package func sum(ofRows indices: [Int], times factors: [Double]) -> [Double] {
    var sum = [Double](repeating: 0, count: columns)
    elements.withUnsafeBufferPointer { elements in
      sum.withUnsafeMutableBufferPointer { sum in
        for (row, factor) in zip(indices, factors) {
          for column in 0..<columns { sum[column] += factor * elements[row &* columns &+ column] }
        }
      }
    }
    return sum
  }

  /// Returns the matrix of some rows and columns, which may repeat; `nil` is one of zeros.
  package func selecting(rows: [Int?], columns: [Int?]) -> Matrix {
    Matrix(
      rows: rows.count, columns: columns.count,
      rows.flatMap { row in
        columns.map { column in
          if let row, let column { self[row, column] } else { 0 }
        }
      })
  }

  /// Returns the quadratic form vᵀ M v.
  package func form(_ vector: [Double]) -> Double { dot(vector, self * vector) }
}

/// Returns the inner product of two vectors.
package func dot(_ a: [Double], _ b: [Double]) -> Double {
  zip(a, b).reduce(0) { $0 + $1.0 * $1.1 }
}

extension Matrix {
  /// The orthonormal columns that span those of the matrix to working precision; at least one.
  ///
  /// Gram–Schmidt with pivoting, each column twice (Golub and Van Loan, "Matrix computations",
  /// section 5.2). O(rows × columns × rank).
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

  /// Returns a vector without its component along a unit vector.
  private static func without(_ unit: [Double], _ vector: [Double]) -> [Double] {
    let part = dot(unit, vector)
    return zip(vector, unit).map { $0 - part * $1 }
  }
}
