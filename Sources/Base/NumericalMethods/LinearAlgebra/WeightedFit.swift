internal import CGSL

/// A weighted linear least-squares fit over rows in memory, by a QR decomposition with a rank
/// check.
///
/// Its workspace is kept, so that fits of the same rows with other weights allocate nothing.
/// Source: GSL reference manual, "Multi-parameter regression" (`gsl_multifit_linear`). O(N p²) per
/// fit.
package final class WeightedFit {
  private let rows: Int
  private let columns: Int
  private let workspace: UnsafeMutablePointer<gsl_multifit_linear_workspace>
  private let matrix: UnsafeMutablePointer<gsl_matrix>
  private let target: UnsafeMutablePointer<gsl_vector>
  private let solution: UnsafeMutablePointer<gsl_vector>
  private let covariance: UnsafeMutablePointer<gsl_matrix>

  /// - Precondition: there are at least as many rows as columns.
  package init(rows: Int, columns: Int) {
    precondition(rows >= columns && columns > 0, "expected at least \(columns) rows, found \(rows)")
    cgsl_do_not_abort()
    self.rows = rows
    self.columns = columns
    guard let workspace = gsl_multifit_linear_alloc(rows, columns),
      let matrix = gsl_matrix_alloc(rows, columns), let target = gsl_vector_alloc(rows),
      let solution = gsl_vector_alloc(columns), let covariance = gsl_matrix_alloc(columns, columns)
    else { preconditionFailure("out of memory for \(rows) rows") }
    self.workspace = workspace
    self.matrix = matrix
    self.target = target
    self.solution = solution
    self.covariance = covariance
  }

  deinit {
    gsl_multifit_linear_free(workspace)
    gsl_matrix_free(matrix)
    gsl_vector_free(target)
    gsl_vector_free(solution)
    gsl_matrix_free(covariance)
  }

  /// Returns the coefficients that minimise Σ w (y − X b)².
  ///
  /// - Parameters:
  ///   - design: The matrix X, row by row.
  ///   - weights: The weights, at least 0, one per row.
  ///   - targets: The targets y, one per row.
  /// - Returns: The coefficients, or `nil` if the rows do not determine all of them; never a
  ///   minimum-norm solution.
  package func solve(design: [Double], weights: [Double], targets: [Double]) -> [Double]? {
    for row in 0..<rows {
      let root = weights[row].squareRoot()
      target.pointee.data[row * target.pointee.stride] = root * targets[row]
      for column in 0..<columns {
        matrix.pointee.data[row * matrix.pointee.tda + column] =
          root * design[row * columns + column]
      }
    }
    var sum = 0.0
    // GSL balances columns before it compares their singular values.
    guard gsl_multifit_linear(matrix, target, solution, covariance, &sum, workspace) == 0,
      gsl_multifit_linear_rank(1e-12, workspace) == columns
    else { return nil }
    let coefficients = (0..<columns).map { gsl_vector_get(solution, $0) }
    return coefficients.allSatisfy(\.isFinite) ? coefficients : nil
  }
}
