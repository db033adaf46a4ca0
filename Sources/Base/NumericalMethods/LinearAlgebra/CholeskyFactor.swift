internal import CGSL

/// The lower triangular factor L of a small symmetric positive definite matrix A = L Lᵀ.
///
/// Source: GSL reference manual, "Cholesky decomposition" (`gsl_linalg_cholesky_decomp1`).
/// Complexity: O(n³) to create, O(n²) to solve.
package struct CholeskyFactor: Equatable, Sendable {
  /// The number n of rows.
  package let size: Int
  /// The factor L, row by row; elements above the diagonal are undefined.
  private var factor: [Double]

  /// Factors a matrix, or returns `nil` if it is not positive definite to working precision: if a
  /// pivot does not exceed n · 2.2e-16 of its diagonal element.
  ///
  /// - Parameters:
  ///   - matrix: The n × n elements, row by row; only the lower triangle is read.
  ///   - size: The number n of rows, at least 1.
  package init?(_ matrix: [Double], size: Int) {
    cgsl_do_not_abort()
    precondition(
      size > 0 && matrix.count == size * size, "expected a matrix of \(size) × \(size) elements")
    var factor = matrix
    let status = factor.withUnsafeMutableBufferPointer {
      var view = gsl_matrix_view_array($0.baseAddress!, size, size)
      return gsl_linalg_cholesky_decomp1(&view.matrix)
    }
    guard status == 0 else { return nil }
    let precision = Double(size) * Double.ulpOfOne
    for index in 0..<size {
      let pivot = factor[index * size + index]
      // Written so that a NaN pivot fails too.
      guard pivot * pivot > precision * matrix[index * size + index] else { return nil }
    }
    guard factor.allSatisfy(\.isFinite) else { return nil }
    self.size = size
    self.factor = factor
  }

  /// The logarithm of the determinant, log |A|.
  package var logDeterminant: Double {
    (0..<size).reduce(0) { $0 + 2 * gsl_sf_log(factor[$1 * size + $1]) }
  }

  /// Returns x with A x = b.
  ///
  /// - Parameter right: The n elements of b.
  package func solve(_ right: [Double]) -> [Double] {
    precondition(right.count == size, "expected \(size) elements on the right-hand side")
    var solution = right
    var triangle = factor
    triangle.withUnsafeMutableBufferPointer { triangle in
      solution.withUnsafeMutableBufferPointer { solution in
        let matrix = gsl_matrix_view_array(triangle.baseAddress!, size, size)
        var vector = gsl_vector_view_array(solution.baseAddress!, size)
        withUnsafePointer(to: matrix.matrix) { _ = gsl_linalg_cholesky_svx($0, &vector.vector) }
      }
    }
    return solution
  }

  /// The inverse A⁻¹, row by row, symmetric.
  package var inverse: [Double] {
    var inverse = factor
    inverse.withUnsafeMutableBufferPointer {
      var view = gsl_matrix_view_array($0.baseAddress!, size, size)
      _ = gsl_linalg_cholesky_invert(&view.matrix)
    }
    return inverse
  }
}
