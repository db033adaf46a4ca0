internal import CGSL

/// Weighted linear least squares over rows held in memory, by a QR decomposition with a check of
/// its rank.
///
/// Its workspace is kept, so that fits of the same rows with other weights allocate nothing.
/// Source: GSL reference manual, "Multi-parameter regression" (`gsl_multifit_linear`). O(N p²) a
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
    precondition(rows >= columns && columns > 0, "\(rows) rows cannot determine \(columns) columns")
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

  /// The coefficients that minimise Σ w (y − X b)².
  ///
  /// - Parameters:
  ///   - design: X, row by row.
  ///   - weights: at least 0, one a row.
  ///   - targets: y, one a row.
  /// - Returns: nil where the rows do not determine every coefficient; never a minimum-norm answer.
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
    // Columns are balanced by GSL before their singular values are compared.
    guard gsl_multifit_linear(matrix, target, solution, covariance, &sum, workspace) == 0,
      gsl_multifit_linear_rank(1e-12, workspace) == columns
    else { return nil }
    let coefficients = (0..<columns).map { gsl_vector_get(solution, $0) }
    return coefficients.allSatisfy(\.isFinite) ? coefficients : nil
  }
}
