internal import CGSL

/// The eigenvalues and eigenvectors of a symmetric matrix, and functions of the matrix.
///
/// GSL's `gsl_eigen_symmv` (Golub and Van Loan, "Matrix computations", section 8.3). O(p³).
package struct SymmetricEigen: Sendable {
  /// The eigenvalues in ascending order.
  package let values: [Double]
  /// The orthonormal eigenvectors as columns, in order of the values.
  package let vectors: Matrix

  /// - Parameter matrix: A symmetric, finite matrix; only its lower triangle is read.
  /// - Returns: `nil` if the matrix is not finite or GSL finds no decomposition.
  package init?(_ matrix: Matrix) {
    let size = matrix.rows
    precondition(size == matrix.columns && size > 0, "expected a square matrix")
    guard matrix.elements.allSatisfy(\.isFinite) else { return nil }
    cgsl_do_not_abort()
    guard let workspace = gsl_eigen_symmv_alloc(size), let copy = gsl_matrix_alloc(size, size),
      let vectors = gsl_matrix_alloc(size, size), let values = gsl_vector_alloc(size)
    else { preconditionFailure("out of memory for a matrix of \(size) rows") }
    defer {
      gsl_eigen_symmv_free(workspace)
      gsl_matrix_free(copy)
      gsl_matrix_free(vectors)
      gsl_vector_free(values)
    }
    for row in 0..<size {
      for column in 0..<size { gsl_matrix_set(copy, row, column, matrix[row, column]) }
    }
    guard gsl_eigen_symmv(copy, values, vectors, workspace) == 0,
      gsl_eigen_symmv_sort(values, vectors, GSL_EIGEN_SORT_VAL_ASC) == 0
    else { return nil }
    self.values = (0..<size).map { gsl_vector_get(values, $0) }
    self.vectors = Matrix(
      rows: size, columns: size,
      (0..<size * size).map { gsl_matrix_get(vectors, $0 / size, $0 % size) })
  }

  /// Returns the matrix with a function applied to its eigenvalues.
  package func map(_ function: (Double) -> Double) -> Matrix {
    vectors * Matrix(diagonal: values.map(function)) * vectors.transposed
  }
}

extension Matrix {
  /// The inverse of a symmetric positive definite matrix; `nil` if it has none to working
  /// precision.
  ///
  /// The matrix is first scaled to a unit diagonal, so that the units of parameters do not matter.
  package var positiveInverse: Matrix? {
    let scale = (0..<rows).map { self[$0, $0] }
    guard scale.allSatisfy({ $0 > 0 && $0.isFinite }) else { return nil }
    let roots = scale.map { 1 / $0.squareRoot() }
    var scaled = self
    for row in 0..<rows {
      for column in 0..<columns { scaled[row, column] *= roots[row] * roots[column] }
    }
    guard let eigen = SymmetricEigen(scaled), let least = eigen.values.first, least > 1e-13 else {
      return nil
    }
    var inverse = eigen.map { 1 / $0 }
    for row in 0..<rows {
      for column in 0..<columns { inverse[row, column] *= roots[row] * roots[column] }
    }
    return inverse
  }
}
