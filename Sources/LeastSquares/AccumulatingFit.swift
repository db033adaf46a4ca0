internal import CGSL

/// Ordinary least squares over rows that come in blocks, in memory that does not grow with them.
///
/// GSL's tall skinny QR (`gsl_multilarge_linear_tsqr`): each block is reduced to a triangle of
/// p × p and merged with the one before, so the rows are seen once and the condition number is not
/// squared as it is in normal equations. Source: GSL reference manual, "Large dense linear systems".
/// Complexity: O(p²) a row.
public final class AccumulatingFit {
  /// Why there is no solution.
  public enum Failure: Error, Equatable, Sendable, CustomStringConvertible {
    /// Fewer rows than parameters.
    case tooFewRows
    /// The rows do not determine every parameter: the columns are dependent.
    case rankDeficient
    /// GSL refused, with its own words.
    case gsl(String)

    public var description: String {
      switch self {
      case .tooFewRows: "fewer samples than parameters"
      case .rankDeficient: "the samples do not determine every parameter"
      case .gsl(let words): "GSL: \(words)"
      }
    }
  }

  /// The coefficients, and the sum of squared residuals.
  public struct Solution: Equatable, Sendable {
    public var coefficients: [Double]
    public var residualSumOfSquares: Double
  }

  private let parameters: Int
  private let blockRows: Int
  private let workspace: UnsafeMutablePointer<gsl_multilarge_linear_workspace>
  private let rows: UnsafeMutablePointer<gsl_matrix>
  private let targets: UnsafeMutablePointer<gsl_vector>
  private var pending = 0
  /// Rows taken so far.
  public private(set) var count = 0
  private var failure: Failure?

  /// - Parameters:
  ///   - parameters: number of columns.
  ///   - blockRows: rows merged at once, at least `parameters`.
  public init(parameters: Int, blockRows: Int = 256) {
    cgsl_do_not_abort()
    self.parameters = parameters
    self.blockRows = max(blockRows, parameters)
    guard let workspace = gsl_multilarge_linear_alloc(cgsl_tall_skinny_qr(), parameters),
      let rows = gsl_matrix_alloc(self.blockRows, parameters),
      let targets = gsl_vector_alloc(self.blockRows)
    else { preconditionFailure("out of memory for \(parameters) parameters") }
    self.workspace = workspace
    self.rows = rows
    self.targets = targets
  }

  deinit {
    gsl_multilarge_linear_free(workspace)
    gsl_matrix_free(rows)
    gsl_vector_free(targets)
  }

  /// Adds the row (1, x) with target y, for a straight line.
  public func addLine(x: Double, y: Double) {
    precondition(parameters == 2, "a straight line has 2 parameters, not \(parameters)")
    let base = pending * rows.pointee.tda
    rows.pointee.data[base] = 1
    rows.pointee.data[base + 1] = x
    targets.pointee.data[pending * targets.pointee.stride] = y
    pending += 1
    count += 1
    if pending == blockRows { merge() }
  }

  /// The least squares solution of all rows so far.
  ///
  /// - Throws: `Failure`; a dependent column is an error, never a silent minimum-norm answer.
  public func solve() throws(Failure) -> Solution {
    // Before merging: GSL takes no first block with fewer rows than columns.
    guard count >= parameters else { throw .tooFewRows }
    if pending > 0 { merge() }
    if let failure { throw failure }
    var reciprocalCondition = 0.0
    try check(gsl_multilarge_linear_rcond(&reciprocalCondition, workspace))
    guard reciprocalCondition > 1e-12 else { throw .rankDeficient }
    guard let solution = gsl_vector_alloc(parameters) else { throw .gsl("out of memory") }
    defer { gsl_vector_free(solution) }
    var residualNorm = 0.0
    var solutionNorm = 0.0
    try check(gsl_multilarge_linear_solve(0, solution, &residualNorm, &solutionNorm, workspace))
    let coefficients = (0..<parameters).map { gsl_vector_get(solution, $0) }
    guard coefficients.allSatisfy(\.isFinite) else { throw .rankDeficient }
    return Solution(
      coefficients: coefficients, residualSumOfSquares: residualNorm * residualNorm)
  }

  private func merge() {
    var matrix = gsl_matrix_submatrix(rows, 0, 0, pending, parameters)
    var vector = gsl_vector_subvector(targets, 0, pending)
    let status = gsl_multilarge_linear_accumulate(&matrix.matrix, &vector.vector, workspace)
    if status != 0 { failure = .gsl(String(cString: gsl_strerror(status))) }
    pending = 0
  }

  private func check(_ status: CInt) throws(Failure) {
    guard status == 0 else { throw .gsl(String(cString: gsl_strerror(status))) }
  }
}
