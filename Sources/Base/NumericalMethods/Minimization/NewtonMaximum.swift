/// A local maximum of a smooth function with known derivatives, by damped Newton steps.
///
/// The curvature is that of central differences of the derivatives, and the damping is relative to
/// its diagonal, so that directions in which the function is flat do not stop the others. Source:
/// Marquardt, "An algorithm for least-squares estimation of nonlinear parameters", 1963; Nocedal
/// and Wright, "Numerical optimization", 2006, section 6.3. Each step calls the function twice per
/// coordinate.
package struct NewtonMaximum: Sendable {
  package private(set) var place: [Double]
  package private(set) var value: Double
  /// A Boolean value that is true if the next step would raise the value by less than the
  /// tolerance.
  package private(set) var hasConverged = false
  package private(set) var steps = 0

  /// Searches from a start.
  ///
  /// - Parameters:
  ///   - start: The start. If the function is not finite there, this is the result, not converged.
  ///   - longest: The largest change of a coordinate in a step.
  ///   - difference: The distance of the two places of a central difference from the middle.
  ///   - tolerance: The expected rise of the value at which to stop, times two.
  ///   - isLost: Returns `true` at a place where the search stops without a maximum.
  ///   - function: Returns the value and its derivatives.
  package init(
    from start: [Double], longest: Double, difference: Double = 1e-4, tolerance: Double = 1e-10,
    maximumSteps: Int = 100, isLost: ([Double]) -> Bool = { _ in false },
    of function: ([Double]) -> (value: Double, score: [Double])
  ) {
    place = start
    var (value, score) = function(start)
    self.value = value
    var damping = 1e-2
    while value.isFinite, steps < maximumSteps, !isLost(place) {
      let curvature = Self.curvature(at: place, difference, function)
      steps += 1
      var hasMoved = false
      while !hasMoved, damping < 1e9 {
        guard let step = Self.step(curvature, score, damping) else {
          damping = max(10 * damping, 1e-3)
          continue
        }
        if damping <= 1e-3, dot(step, score) < tolerance {
          hasConverged = true
          return
        }
        let length = step.map(abs).max() ?? 0
        let share = min(1, longest / max(length, .leastNormalMagnitude))
        let next = zip(place, step).map { $0 + share * $1 }
        let there = function(next)
        // Near the maximum, rounding hides a rise.
        if there.value > value - 1e-9 * max(1, abs(value)) {
          (place, value, score, hasMoved) = (next, there.value, there.score, true)
          damping = damping < 1e-8 ? 0 : damping / 10
        } else {
          damping = max(10 * damping, 1e-3)
        }
      }
      self.value = value
      guard hasMoved else { return }
    }
  }

  /// Returns minus the matrix of second derivatives.
  private static func curvature(
    at place: [Double], _ difference: Double,
    _ function: ([Double]) -> (value: Double, score: [Double])
  ) -> Matrix {
    var curvature = Matrix(zeros: place.count, place.count)
    for one in place.indices {
      var (above, below) = (place, place)
      above[one] += difference
      below[one] -= difference
      let (up, down) = (function(above).score, function(below).score)
      for other in place.indices {
        let slope = (down[other] - up[other]) / (2 * difference)
        curvature[one, other] += slope / 2
        curvature[other, one] += slope / 2
      }
    }
    return curvature
  }

  /// Returns the damped step, or `nil` if the damped curvature is not positive.
  private static func step(_ curvature: Matrix, _ score: [Double], _ damping: Double) -> [Double]? {
    var damped = curvature
    let largest = score.indices.map { abs(curvature[$0, $0]) }.max() ?? 0
    for index in score.indices {
      damped[index, index] += damping * max(abs(curvature[index, index]), 1e-12 * largest)
    }
    guard let inverse = damped.positiveInverse else { return nil }
    let step = inverse * score
    return step.allSatisfy(\.isFinite) ? step : nil
  }
}
