internal import CGSL

/// The minimum of a function of a few variables without derivatives, by the Nelder–Mead simplex.
///
/// Source: Nelder and Mead, "A simplex method for function minimization", 1965; GSL reference
/// manual, "Multidimensional minimization" (`gsl_multimin_fminimizer_nmsimplex2`). It finds one
/// local minimum; use several starts if there may be more.
package struct SimplexMinimum: Equatable, Sendable {
  package let x: [Double]
  package let value: Double
  /// A Boolean value that is true if the simplex shrank to the tolerance; otherwise the result is
  /// the best place found.
  package let hasConverged: Bool

  /// Searches from a start.
  ///
  /// - Parameters:
  ///   - start: The start, with at least one coordinate. If the function is not finite here or at
  ///     one of the first corners, this is the result, not converged.
  ///   - steps: The distance of the first corners from the start along each coordinate, not 0.
  ///   - tolerance: The mean distance of the final corners from their centre. Rounding blurs a
  ///     minimum to the square root of the precision, so less than about 1e-7 of `x` may never be
  ///     reached: on a plain that is flat to the last digit, a simplex never stops turning over.
  ///   - maximumSteps: The maximum number of moves of the simplex; each calls the function once or
  ///     twice, rarely once per coordinate.
  ///   - function: The function. A later place at which it is not finite counts as worse than any
  ///     other.
  package init(
    from start: [Double], steps: [Double], tolerance: Double, maximumSteps: Int = 1000,
    of function: ([Double]) -> Double
  ) {
    cgsl_do_not_abort()
    precondition(!start.isEmpty && start.count == steps.count, "expected one step per coordinate")
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

  /// The context that GSL passes to the callback, because a closure is not a C pointer.
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

/// Returns the elements of a GSL vector.
func numbers(_ vector: UnsafePointer<gsl_vector>) -> [Double] {
  (0..<vector.pointee.size).map { gsl_vector_get(vector, $0) }
}
