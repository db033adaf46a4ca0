/// The minimum of a smooth function of a few variables, by quasi-Newton steps (BFGS) with the whole
/// matrix.
///
/// Sources: Nocedal and Wright, "Numerical optimization", 2006, section 6.1; Lewis and Overton,
/// "Nonsmooth optimization via quasi-Newton methods", Mathematical Programming 141 (2013), section
/// 4, for the lengths of the steps.
package struct GradientMinimum: Sendable {
  package private(set) var place: [Double]
  package private(set) var value: Double
  package private(set) var gradient: [Double]
  /// A Boolean value that is true if the gradient became shorter than the tolerance, or no step
  /// could lower the value.
  package private(set) var hasConverged = false
  package private(set) var steps = 0

  /// - Parameters:
  ///   - start: The start, at which the function must be finite.
  ///   - step: The length of the first step.
  ///   - tolerance: The length of the gradient at which to stop.
  ///   - function: Returns the value and the gradient. If it is not finite the step is shortened.
  package init(
    from start: [Double], step: Double, tolerance: Double, maximumSteps: Int = 200,
    of function: (_ place: [Double], _ gradient: inout [Double]) -> Double
  ) {
    (place, gradient) = (start, start.map { _ in 0 })
    value = function(start, &gradient)
    /// The inverse of the second derivatives, `nil` before it is estimated.
    var inverse: Matrix?
    while steps < maximumSteps {
      let length = dot(gradient, gradient).squareRoot()
      hasConverged = length < tolerance
      if hasConverged { return }
      let descent = inverse.map { $0 * gradient } ?? gradient.map { step / length * $0 }
      let before = self
      guard advance(against: descent, function) else {
        // Rounding hides any further descent.
        hasConverged = inverse == nil
        if hasConverged { return }
        inverse = nil
        continue
      }
      steps += 1
      let moved = zip(place, before.place).map { $0 - $1 }
      let change = zip(gradient, before.gradient).map { $0 - $1 }
      let curvature = dot(moved, change)
      guard curvature > 0 else { continue }
      var matrix =
        inverse
        ?? Matrix(diagonal: moved.map { _ in curvature / dot(change, change) })
      let product = matrix * change
      matrix.addOuter(moved, times: (1 + dot(change, product) / curvature) / curvature)
      matrix.addOuter(product, moved, times: -1 / curvature)
      matrix.addOuter(moved, product, times: -1 / curvature)
      inverse = matrix
    }
  }

  /// Goes against a direction to a lower place with a flatter slope; returns `false` if there is no
  /// lower one.
  private mutating func advance(
    against descent: [Double], _ function: ([Double], inout [Double]) -> Double
  ) -> Bool {
    let before = self
    let slope = -dot(before.gradient, descent)
    var (low, high, share) = (0.0, Double.infinity, 1.0)
    for _ in 0..<40 {
      let there = zip(before.place, descent).map { $0 - share * $1 }
      var gradient = before.gradient
      let value = function(there, &gradient)
      if value <= before.value + 1e-4 * share * slope, value < before.value {
        (low, place, self.value, self.gradient) = (share, there, value, gradient)
        if dot(gradient, descent) <= -0.9 * slope { break }
        share = high.isFinite ? (low + high) / 2 : 2 * share
      } else {
        high = share
        // The minimum of a parabola, or else the middle.
        let parabola = -slope * share * share / (2 * (value - before.value - slope * share))
        let isUseful = low == 0 && parabola > 0.1 * share && parabola < 0.5 * share
        share = isUseful ? parabola : (low + high) / 2
      }
    }
    return low > 0
  }
}
