internal import CGSL

/// The residuals of a nonlinear fit as GSL calls them: closures are not C pointers.
struct NonlinearProblem {
  var residuals: ([Double]) -> [Double]
  var jacobian: ([Double]) -> [Double]

  /// What GSL minimises; it is good as long as the pointer is.
  static func target(
    _ problem: UnsafeMutablePointer<NonlinearProblem>, residuals: Int, parameters: Int
  ) -> gsl_multifit_nlinear_fdf {
    gsl_multifit_nlinear_fdf(
      f: { x, problem, result in
        let problem = problem!.assumingMemoryBound(to: NonlinearProblem.self)
        let values = problem.pointee.residuals(numbers(x!))
        guard values.count == result!.pointee.size else { return CInt(GSL_EBADLEN) }
        for (index, value) in values.enumerated() {
          gsl_vector_set(result, index, value.isFinite ? value : forbidden)
        }
        return 0
      },
      df: { x, problem, result in
        let problem = problem!.assumingMemoryBound(to: NonlinearProblem.self)
        let values = problem.pointee.jacobian(numbers(x!))
        let columns = result!.pointee.size2
        guard values.count == result!.pointee.size1 * columns else {
          return CInt(GSL_EBADLEN)
        }
        guard values.allSatisfy(\.isFinite) else { return CInt(GSL_EBADFUNC) }
        for (index, value) in values.enumerated() {
          gsl_matrix_set(result, index / columns, index % columns, value)
        }
        return 0
      },
      fvv: nil, n: residuals, p: parameters, params: problem, nevalf: 0, nevaldf: 0, nevalfvv: 0)
  }
}

/// Stands for a residual that is not finite: so large that the step is taken back and the next one
/// is shorter. GSL would try one that is not a number again and again.
private let forbidden = 1e150
