/// A small dense matrix, row by row: the covariances and information of a few parameters.
package struct Matrix: Equatable, Sendable {
  package let rows: Int
  package let columns: Int
  package var elements: [Double]

  /// - Precondition: there are `rows` × `columns` elements.
  package init(rows: Int, columns: Int, _ elements: [Double]) {
    precondition(
      elements.count == rows * columns, "\(elements.count) elements of \(rows) × \(columns)")
    self.rows = rows
    self.columns = columns
    self.elements = elements
  }

  /// A matrix of zeros.
  package init(zeros rows: Int, _ columns: Int) {
    self.init(rows: rows, columns: columns, [Double](repeating: 0, count: rows * columns))
  }

  /// A square matrix with these numbers on its diagonal.
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

  /// The product of a column and a row.
  package static func outer(_ a: [Double], _ b: [Double]) -> Matrix {
    Matrix(rows: a.count, columns: b.count, a.flatMap { x in b.map { x * $0 } })
  }

  /// Adds the product of a column and itself as a row, times a factor.
  package mutating func addOuter(_ vector: [Double], times factor: Double = 1) {
    elements.withUnsafeMutableBufferPointer { elements in
      for row in 0..<rows {
        for column in 0..<columns {
          elements[row * columns + column] += factor * (vector[row] * vector[column])
        }
      }
    }
  }

  /// The square form vᵀ M v.
  package func form(_ vector: [Double]) -> Double { dot(vector, self * vector) }
}

/// The inner product of two vectors.
package func dot(_ a: [Double], _ b: [Double]) -> Double {
  zip(a, b).reduce(0) { $0 + $1.0 * $1.1 }
}
