internal import CGSL

/// The parameters that minimise the sum of squared residuals, by the Levenberg–Marquardt method.
///
/// Source: Moré, "The Levenberg–Marquardt algorithm: implementation and theory", 1978; GSL
/// reference manual, "Nonlinear least-squares fitting" (`gsl_multifit_nlinear`, trust region, QR).
/// Weights are the caller's: residuals and their derivatives are multiplied by the square root of
/// the weight. It finds one local minimum. Every outcome is a result; the process is never aborted.
package struct NonlinearFit: Equatable, Sendable {
  /// The reason why the search ended.
  package enum Ending: Equatable, Sendable, CustomStringConvertible {
    /// The last step changed no parameter by more than 1e-10 of it.
    case smallStep
    /// The residuals are orthogonal to every derivative, or 0.
    case smallGradient
    /// The maximum number of steps was reached.
    case tooManySteps
    /// No step reduces the sum of squares, although this is not a minimum.
    case noProgress
    /// A residual or a derivative is not finite at the start.
    case notFinite
    /// There are fewer residuals than parameters.
    case tooFewResiduals
    /// GSL failed, with its message.
    case gsl(String)

    package var description: String {
      switch self {
      case .smallStep: "converged: the parameters no longer change"
      case .smallGradient: "converged: the gradient vanishes"
      case .tooManySteps: "not converged: too many steps"
      case .noProgress: "not converged: no step reduces the residuals"
      case .notFinite: "not converged: the residuals are not finite at the start"
      case .tooFewResiduals: "not determined: fewer residuals than parameters"
      case .gsl(let words): "not converged: GSL: \(words)"
      }
    }
  }

  /// The best parameters found.
  package let parameters: [Double]
  /// The sum of squared residuals at `parameters`; NaN if they are not finite.
  package let residualSumOfSquares: Double
  /// The matrix (JᵀJ)⁻¹ at `parameters`, row by row, not scaled by the residuals' variance; `nil`
  /// if the derivatives do not determine every parameter, or were not evaluated.
  package let covariance: [Double]?
  package let ending: Ending

  /// A Boolean value that is true if `parameters` is a minimum.
  package var hasConverged: Bool { ending == .smallStep || ending == .smallGradient }

  /// Searches from a start.
  ///
  /// - Parameters:
  ///   - start: The p initial parameters. If the derivatives are dependent there, the search may
  ///     not move.
  ///   - maximumSteps: The maximum number of steps.
  ///   - residuals: Returns the N residuals at p parameters, always as many. If one is not finite
  ///     the step is rejected.
  ///   - jacobian: Returns their derivatives, row by row: N × p elements.
  package init(
    from start: [Double], maximumSteps: Int = 200, residuals: ([Double]) -> [Double],
    jacobian: ([Double]) -> [Double]
  ) {
    let first = residuals(start)
    let count = first.count
    guard !start.isEmpty, count >= start.count else {
      self.init(start, .nan, nil, .tooFewResiduals)
      return
    }
    guard first.allSatisfy(\.isFinite), jacobian(start).allSatisfy(\.isFinite) else {
      self.init(start, .nan, nil, .notFinite)
      return
    }
    self = withoutActuallyEscaping(residuals) { residuals in
      withoutActuallyEscaping(jacobian) { jacobian in
        var problem = NonlinearProblem(residuals: residuals, jacobian: jacobian)
        return withUnsafeMutablePointer(to: &problem) {
          Self.search($0, start, count, maximumSteps)
        }
      }
    }
  }

  private init(
    _ parameters: [Double], _ residualSumOfSquares: Double, _ covariance: [Double]?,
    _ ending: Ending
  ) {
    self.parameters = parameters
    self.residualSumOfSquares = residualSumOfSquares
    self.covariance = covariance
    self.ending = ending
  }

  private static func search(
    _ problem: UnsafeMutablePointer<NonlinearProblem>, _ start: [Double], _ count: Int,
    _ maximumSteps: Int
  ) -> NonlinearFit {
    cgsl_do_not_abort()
    var options = gsl_multifit_nlinear_default_parameters()
    guard
      let search = gsl_multifit_nlinear_alloc(cgsl_trust_region(), &options, count, start.count),
      let first = gsl_vector_alloc(start.count),
      let covariance = gsl_matrix_alloc(start.count, start.count)
    else { preconditionFailure("out of memory for \(count) residuals") }
    defer {
      gsl_multifit_nlinear_free(search)
      gsl_vector_free(first)
      gsl_matrix_free(covariance)
    }
    for (index, value) in start.enumerated() { gsl_vector_set(first, index, value) }
    var target = NonlinearProblem.target(problem, residuals: count, parameters: start.count)
    return withUnsafeMutablePointer(to: &target) { target in
      var status = gsl_multifit_nlinear_init(first, target, search)
      var reason: CInt = 0
      if status == 0 {
        // GSL's gradient test assumes residuals of size 1, so it is practically disabled here.
        status = gsl_multifit_nlinear_driver(
          maximumSteps, 1e-10, 1e-30, 0, nil, nil, &reason, search)
      }
      let residuals = numbers(gsl_multifit_nlinear_residual(search))
      let derivatives = gsl_multifit_nlinear_jac(search)!
      let isFlat = isOrthogonal(residuals, derivatives)
      let ending: Ending =
        switch (status, isFlat) {
        case (0, _): reason == 1 ? .smallStep : .smallGradient
        case (CInt(GSL_EMAXITER), false): .tooManySteps
        case (CInt(GSL_ENOPROG), false): .noProgress
        case (CInt(GSL_EMAXITER), true), (CInt(GSL_ENOPROG), true): .smallGradient
        default: .gsl(String(cString: gsl_strerror(status)))
        }
      let isKnown = gsl_multifit_nlinear_covar(derivatives, 1e-12, covariance) == 0
      let values = (0..<start.count * start.count).map {
        gsl_matrix_get(covariance, $0 / start.count, $0 % start.count)
      }
      // GSL assigns a variance of 0 to an undetermined parameter.
      let isDetermined = (0..<start.count).allSatisfy { values[$0 * (start.count + 1)] > 0 }
      return NonlinearFit(
        numbers(gsl_multifit_nlinear_position(search)), residuals.reduce(0) { $0 + $1 * $1 },
        isKnown && isDetermined && values.allSatisfy(\.isFinite) ? values : nil, ending)
    }
  }

  /// Returns a Boolean value that is true if the cosine between the residuals and each column of
  /// derivatives is below 1e-6.
  private static func isOrthogonal(
    _ residuals: [Double], _ derivatives: UnsafePointer<gsl_matrix>
  ) -> Bool {
    let size = residuals.reduce(0) { $0 + $1 * $1 }.squareRoot()
    return (0..<derivatives.pointee.size2).allSatisfy { column in
      var product = 0.0
      var square = 0.0
      for (row, residual) in residuals.enumerated() {
        let derivative = gsl_matrix_get(derivatives, row, column)
        product += derivative * residual
        square += derivative * derivative
      }
      return abs(product) <= 1e-6 * size * square.squareRoot()
    }
  }
}

/// The residuals of a nonlinear fit in the form that GSL calls, because closures are not C
/// pointers.
struct NonlinearProblem {
  var residuals: ([Double]) -> [Double]
  var jacobian: ([Double]) -> [Double]

  /// Returns the function that GSL minimises; it is valid as long as the pointer.
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

/// The value that replaces residuals that are not finite: so large that the step is rejected and
/// shortened. GSL would retry a NaN for ever.
private let forbidden = 1e150
