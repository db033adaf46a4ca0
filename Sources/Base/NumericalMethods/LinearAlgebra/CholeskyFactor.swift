internal import CGSL

/// The triangle L of a small symmetric positive definite matrix A = L Lᵀ.
///
/// Source: GSL reference manual, "Cholesky decomposition" (`gsl_linalg_cholesky_decomp1`).
/// Complexity: O(n³) to make, O(n²) to solve.
package struct CholeskyFactor: Equatable, Sendable {
  /// n, the number of rows.
  package let size: Int
  /// L, row by row; what is above the diagonal is not L's.
  private var factor: [Double]

  /// Factors a matrix; nil where it is not positive definite, but for rounding: where a pivot is
  /// not above n · 2.2e-16 of its diagonal element.
  ///
  /// - Parameters:
  ///   - matrix: n × n numbers, row by row; only the lower triangle is read.
  ///   - size: n, at least 1.
  package init?(_ matrix: [Double], size: Int) {
    cgsl_do_not_abort()
    precondition(size > 0 && matrix.count == size * size, "a matrix of \(size) rows and columns")
    var factor = matrix
    let status = factor.withUnsafeMutableBufferPointer {
      var view = gsl_matrix_view_array($0.baseAddress!, size, size)
      return gsl_linalg_cholesky_decomp1(&view.matrix)
    }
    guard status == 0 else { return nil }
    let precision = Double(size) * Double.ulpOfOne
    for index in 0..<size {
      let pivot = factor[index * size + index]
      // Written so that a pivot that is not a number fails too.
      guard pivot * pivot > precision * matrix[index * size + index] else { return nil }
    }
    guard factor.allSatisfy(\.isFinite) else { return nil }
    self.size = size
    self.factor = factor
  }

  /// log |A|.
  package var logDeterminant: Double {
    (0..<size).reduce(0) { $0 + 2 * gsl_sf_log(factor[$1 * size + $1]) }
  }

  /// x with A x = b.
  ///
  /// - Parameter right: b, n numbers.
  package func solve(_ right: [Double]) -> [Double] {
    precondition(right.count == size, "\(size) numbers on the right")
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

  /// A⁻¹, row by row, symmetric.
  package var inverse: [Double] {
    var inverse = factor
    inverse.withUnsafeMutableBufferPointer {
      var view = gsl_matrix_view_array($0.baseAddress!, size, size)
      _ = gsl_linalg_cholesky_invert(&view.matrix)
    }
    return inverse
  }
}
