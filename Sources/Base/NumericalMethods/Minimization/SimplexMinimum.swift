internal import CGSL

/// Where a function of a few numbers is least, found without derivatives: the simplex of Nelder and
/// Mead.
///
/// Source: Nelder and Mead, "A simplex method for function minimization", 1965; GSL reference
/// manual, "Multidimensional minimization" (`gsl_multimin_fminimizer_nmsimplex2`). It finds one
/// local minimum; start it from several places where there may be more.
package struct SimplexMinimum: Equatable, Sendable {
  package let x: [Double]
  package let value: Double
  /// A Boolean value that is true if the simplex shrank to the tolerance; if not, this is the best
  /// place seen.
  package let hasConverged: Bool

  /// Searches from a start.
  ///
  /// - Parameters:
  ///   - start: where to begin, one number or more. Where the function is not finite here or at one
  ///     of the first corners, this is the answer, not converged.
  ///   - steps: how far the first corners are from the start along each coordinate, not 0.
  ///   - tolerance: the mean distance of the last corners from their centre. Rounding blurs a
  ///     minimum to the square root of the precision: less than about 1e-7 of `x` may never be
  ///     reached, since a simplex on a plain that is flat to the last digit turns over and over.
  ///   - maximumSteps: moves of the simplex after which it gives up; each calls the function once
  ///     or twice, seldom once a coordinate.
  ///   - function: the function. A later place where it is not finite counts as worse than any
  ///     other.
  package init(
    from start: [Double], steps: [Double], tolerance: Double, maximumSteps: Int = 1000,
    of function: ([Double]) -> Double
  ) {
    cgsl_do_not_abort()
    precondition(!start.isEmpty && start.count == steps.count, "one step for each coordinate")
    self = withoutActuallyEscaping(function) { function in
      var box = Box(function: function)
      return withUnsafeMutablePointer(to: &box) { box in
        var target = gsl_multimin_function(
          f: { x, box in box!.assumingMemoryBound(to: Box.self).pointee.function(numbers(x!)) },
          n: start.count, params: box)
        return withUnsafeMutablePointer(to: &target) {
          Self.search($0, start, steps, tolerance, maximumSteps)
        }
      }
    }
  }

  /// What GSL hands back to the call: a closure is not a C pointer.
  private struct Box {
    var function: ([Double]) -> Double
  }

  private init(x: [Double], value: Double, hasConverged: Bool) {
    self.x = x
    self.value = value
    self.hasConverged = hasConverged
  }

  private static func search(
    _ target: UnsafeMutablePointer<gsl_multimin_function>, _ start: [Double], _ steps: [Double],
    _ tolerance: Double, _ maximumSteps: Int
  ) -> SimplexMinimum {
    guard let search = gsl_multimin_fminimizer_alloc(cgsl_simplex(), start.count),
      let first = gsl_vector_alloc(start.count), let sides = gsl_vector_alloc(start.count)
    else { preconditionFailure("out of memory for a simplex of \(start.count) numbers") }
    defer {
      gsl_multimin_fminimizer_free(search)
      gsl_vector_free(first)
      gsl_vector_free(sides)
    }
    for (index, (place, step)) in zip(start, steps).enumerated() {
      gsl_vector_set(first, index, place)
      gsl_vector_set(sides, index, step)
    }
    var status = gsl_multimin_fminimizer_set(search, target, first, sides)
    guard status == 0 else {
      let value = target.pointee.f(first, target.pointee.params)
      return SimplexMinimum(x: start, value: value, hasConverged: false)
    }
    var hasConverged = false
    var steps = 0
    while status == 0, !hasConverged, steps < maximumSteps {
      status = gsl_multimin_fminimizer_iterate(search)
      steps += 1
      hasConverged = status == 0 && gsl_multimin_fminimizer_size(search) <= tolerance
    }
    return SimplexMinimum(
      x: numbers(gsl_multimin_fminimizer_x(search)),
      value: gsl_multimin_fminimizer_minimum(search), hasConverged: hasConverged)
  }
}

/// The numbers of a GSL vector.
func numbers(_ vector: UnsafePointer<gsl_vector>) -> [Double] {
  (0..<vector.pointee.size).map { gsl_vector_get(vector, $0) }
}
