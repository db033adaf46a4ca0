internal import CGSL

/// The minimum of a smooth function of several variables, by quasi-Newton steps (BFGS).
///
/// Source: Fletcher, "Practical methods of optimization", 1987, section 2.6; GSL reference manual,
/// "Multidimensional minimization" (`gsl_multimin_fdfminimizer_vector_bfgs2`).
package struct GradientMinimum: Sendable {
  package let place: [Double]
  package let value: Double
  package let gradient: [Double]
  /// A Boolean value that is true if the gradient became shorter than the tolerance, or no step
  /// could lower the value.
  package let hasConverged: Bool
  package let steps: Int

  /// - Parameters:
  ///   - start: The start, at which the function must be finite.
  ///   - step: The length of the first step.
  ///   - tolerance: The length of the gradient at which to stop.
  ///   - function: Returns the value and the gradient. If it is not finite the step is shortened.
  package init(
    from start: [Double], step: Double, tolerance: Double, maximumSteps: Int = 200,
    of function: (_ place: [Double], _ gradient: inout [Double]) -> Double
  ) {
    cgsl_do_not_abort()
    self = withoutActuallyEscaping(function) { function in
      var box = Box(function: function, gradient: start)
      return withUnsafeMutablePointer(to: &box) { box in
        var target = gsl_multimin_function_fdf(
          f: { place, box in evaluate(place, box, nil) },
          df: { place, box, gradient in _ = evaluate(place, box, gradient) },
          fdf: { place, box, value, gradient in value?.pointee = evaluate(place, box, gradient) },
          n: start.count, params: box)
        return withUnsafeMutablePointer(to: &target) { target in
          Self.search(target, start, step, tolerance, maximumSteps)
        }
      }
    }
  }

  private init(
    place: [Double], value: Double, gradient: [Double], hasConverged: Bool, steps: Int
  ) {
    self.place = place
    self.value = value
    self.gradient = gradient
    self.hasConverged = hasConverged
    self.steps = steps
  }

  private static func search(
    _ target: UnsafeMutablePointer<gsl_multimin_function_fdf>, _ start: [Double], _ step: Double,
    _ tolerance: Double, _ maximumSteps: Int
  ) -> GradientMinimum {
    let size = start.count
    guard let search = gsl_multimin_fdfminimizer_alloc(cgsl_bfgs(), size),
      let place = gsl_vector_alloc(size)
    else { preconditionFailure("out of memory for a search in \(size) dimensions") }
    defer {
      gsl_multimin_fdfminimizer_free(search)
      gsl_vector_free(place)
    }
    for (index, value) in start.enumerated() { gsl_vector_set(place, index, value) }
    var status = gsl_multimin_fdfminimizer_set(search, target, place, step, 0.1)
    var hasConverged = false
    var steps = 0
    while status == 0, !hasConverged, steps < maximumSteps {
      status = gsl_multimin_fdfminimizer_iterate(search)
      steps += 1
      hasConverged = gsl_multimin_test_gradient(search.pointee.gradient, tolerance) == 0
    }
    // "No progress" means that rounding hides any further descent.
    if status == CInt(GSL_ENOPROG) { hasConverged = true }
    return GradientMinimum(
      place: (0..<size).map { gsl_vector_get(search.pointee.x, $0) }, value: search.pointee.f,
      gradient: (0..<size).map { gsl_vector_get(search.pointee.gradient, $0) },
      hasConverged: hasConverged, steps: steps)
  }
}

/// The context that GSL passes to the callback, because a closure is not a C pointer.
private struct Box {
  var function: ([Double], inout [Double]) -> Double
  var gradient: [Double]
  /// The place of the latest gradient with the value there.
  var latest: (place: [Double], value: Double)?

  /// Evaluates the function once when GSL asks for the value and then for the gradient.
  mutating func value(at place: [Double]) -> Double {
    if let latest, latest.place == place { return latest.value }
    let value = function(place, &gradient)
    latest = (place, value)
    return value
  }
}

private func evaluate(
  _ place: UnsafePointer<gsl_vector>?, _ box: UnsafeMutableRawPointer?,
  _ gradient: UnsafeMutablePointer<gsl_vector>?
) -> Double {
  let box = box!.assumingMemoryBound(to: Box.self)
  let numbers = (0..<box.pointee.gradient.count).map { gsl_vector_get(place, $0) }
  let value = box.pointee.value(at: numbers)
  if let gradient {
    for (index, slope) in box.pointee.gradient.enumerated() {
      gsl_vector_set(gradient, index, slope)
    }
  }
  return value
}
