/// The minimum of a smooth function of several variables, by quasi-Newton steps (BFGS).
///
/// The inverse of the curvature is a matrix that each step corrects. GSL's method of this name
/// (`vector_bfgs2`) remembers only its latest step, and needs several times as many evaluations.
/// Sources: Nocedal and Wright, "Numerical optimization", 2006, algorithm 6.1, equations 6.17 and
/// 6.20; for the lengths of steps, Lewis and Overton, "Nonsmooth optimization via quasi-Newton
/// methods", Mathematical Programming 141 (2013), algorithm 2.6.
package struct GradientMinimum: Sendable {
  package private(set) var place: [Double]
  package private(set) var value: Double
  package private(set) var gradient: [Double]
  /// A Boolean value that is true if the gradient became shorter than the tolerance, or no step
  /// could lower the value.
  package private(set) var hasConverged = false
  package private(set) var steps = 0

  /// Searches from a start, with one evaluation for most steps.
  ///
  /// - Parameters:
  ///   - start: The start, at which the function must be finite.
  ///   - step: The length of the first step.
  ///   - tolerance: The length of the gradient at which to stop.
  ///   - function: Returns the value and the gradient. If it is not finite the step is shortened.
  package init(
    from start: [Double], step: Double, tolerance: Double, maximumSteps: Int = 200,
    of function: (_ place: [Double], _ gradient: inout [Double]) -> Double
  ) {
    place = start
    gradient = start
    value = function(start, &gradient)
    var inverse: Matrix?
    while value.isFinite, steps < maximumSteps {
      let length = dot(gradient, gradient).squareRoot()
      hasConverged = length < tolerance
      if hasConverged { return }
      let direction = inverse.map { $0 * gradient } ?? gradient.map { $0 * step / length }
      guard let next = descended(along: direction, function) else {
        // Rounding hides any further descent.
        hasConverged = true
        return
      }
      let move = zip(next.place, place).map { $0 - $1 }
      let bend = zip(next.gradient, gradient).map { $0 - $1 }
      inverse = Self.corrected(inverse, move, bend)
      (place, value, gradient) = (next.place, next.value, next.gradient)
      steps += 1
    }
  }

  /// The largest number of evaluations of a step.
  private static let mostTrials = 30

  /// Returns a place on the line against a direction that lowers the value enough, and where the
  /// slope is flatter (weak Wolfe conditions); `nil` if no place lowers the value.
  private func descended(
    along direction: [Double],
    _ function: (_ place: [Double], _ gradient: inout [Double]) -> Double
  ) -> (place: [Double], value: Double, gradient: [Double])? {
    let slope = -dot(direction, gradient)
    var best: (place: [Double], value: Double, gradient: [Double])?
    var (share, lower, upper) = (1.0, 0.0, Double.infinity)
    for _ in 0..<Self.mostTrials {
      let next = zip(place, direction).map { $0 - share * $1 }
      var there = gradient
      let found = function(next, &there)
      if found.isFinite, found < value + 1e-4 * share * slope {
        best = (next, found, there)
        if -dot(direction, there) >= 0.9 * slope { break }
        lower = share
      } else {
        upper = share
      }
      share = upper.isFinite ? (lower + upper) / 2 : 2 * share
    }
    return best
  }

  /// Returns the inverse curvature that agrees with the latest step; without one before, it is of a
  /// curvature that is the same in all directions.
  private static func corrected(_ inverse: Matrix?, _ move: [Double], _ bend: [Double]) -> Matrix? {
    let curvature = dot(move, bend)
    guard curvature > 0 else { return inverse }
    var next =
      inverse
      ?? Matrix(diagonal: bend.map { _ in curvature / dot(bend, bend) })
    let turned = next * bend
    next.addOuter(move, times: (1 + dot(bend, turned) / curvature) / curvature)
    next.addOuter(move, turned, times: -1 / curvature)
    next.addOuter(turned, move, times: -1 / curvature)
    return next
  }
}
