internal import CGSL

/// The minimum of a function of one variable inside a bracket: Brent's method, parabolas with
/// golden sections as a fallback.
///
/// Source: Brent, "Algorithms for minimization without derivatives", 1973, chapter 5; GSL reference
/// manual, "One dimensional minimization" (`gsl_min_fminimizer_brent`). One call of the function
/// per step.
package struct LineMinimum: Equatable, Sendable {
  /// A place with the function's value there.
  package struct Sample: Equatable, Sendable {
    package var x: Double
    package var value: Double

    package init(x: Double, value: Double) {
      self.x = x
      self.value = value
    }
  }

  package let x: Double
  package let value: Double
  /// A Boolean value that is true if there was a bracket and it became narrower than the tolerance;
  /// otherwise the result is the best place found.
  package let hasConverged: Bool

  /// Starts from three samples that bracket the minimum; if they do not, the result is the least of
  /// them.
  ///
  /// - Parameters:
  ///   - lower: The lower end of the bracket.
  ///   - middle: A place inside, with a value below both ends'.
  ///   - upper: The upper end of the bracket.
  ///   - tolerance: The width of the final bracket. Rounding blurs a minimum to the square root of
  ///     the precision, so less than about 1e-8 of `x` is never reached.
  ///   - maximumSteps: The largest number of calls of the function.
  ///   - function: The function. If it is not finite the search ends without convergence.
  package init(
    between lower: Sample, _ middle: Sample, and upper: Sample, tolerance: Double,
    maximumSteps: Int = 100, of function: (Double) -> Double
  ) {
    cgsl_do_not_abort()
    let least = [lower, upper].reduce(middle) { $1.value < $0.value ? $1 : $0 }
    let isBracket =
      lower.x < middle.x && middle.x < upper.x && middle.value < lower.value
      && middle.value < upper.value
    guard isBracket else {
      self.init(x: least.x, value: least.value, hasConverged: false)
      return
    }
    self = withoutActuallyEscaping(function) { function in
      var box = Box(function: function)
      return withUnsafeMutablePointer(to: &box) { box in
        var target = gsl_function(
          function: { x, box in box!.assumingMemoryBound(to: Box.self).pointee.function(x) },
          params: box)
        return withUnsafeMutablePointer(to: &target) { target in
          Self.search(target, lower, middle, upper, tolerance, maximumSteps)
        }
      }
    }
  }

  /// The context that GSL passes to the callback, because a closure is not a C pointer.
  private struct Box {
    var function: (Double) -> Double
  }

  private init(x: Double, value: Double, hasConverged: Bool) {
    self.x = x
    self.value = value
    self.hasConverged = hasConverged
  }

  private static func search(
    _ target: UnsafeMutablePointer<gsl_function>, _ lower: Sample, _ middle: Sample,
    _ upper: Sample, _ tolerance: Double, _ maximumSteps: Int
  ) -> LineMinimum {
    guard let search = gsl_min_fminimizer_alloc(cgsl_brent()) else {
      preconditionFailure("out of memory for a line search")
    }
    defer { gsl_min_fminimizer_free(search) }
    var status = gsl_min_fminimizer_set_with_values(
      search, target, middle.x, middle.value, lower.x, lower.value, upper.x, upper.value)
    var hasConverged = false
    var steps = 0
    while status == 0, !hasConverged, steps < maximumSteps {
      status = gsl_min_fminimizer_iterate(search)
      steps += 1
      hasConverged = search.pointee.x_upper - search.pointee.x_lower <= tolerance
    }
    return LineMinimum(
      x: search.pointee.x_minimum, value: search.pointee.f_minimum, hasConverged: hasConverged)
  }
}
