import RealModule

/// The normal approximation of a posterior density at its maximum, by finite differences.
///
/// The parameters are scaled so that their prior is standard normal. No axis is longer than 1,
/// because data that contradict the prior do not take away its information. Source: Tierney and
/// Kadane, "Accurate approximations for posterior moments and marginal densities", 1986, section 2.
package struct LaplaceApproximation: Sendable {
  /// The principal axes of the ellipsoid of one standard deviation. The sum of their outer products
  /// is the covariance matrix.
  package let axes: [[Double]]

  /// Calls the function about 2 p² + 4 p times, for p parameters.
  ///
  /// - Parameters:
  ///   - maximum: The place of the maximum. A place near it serves as well.
  ///   - cost: The negative logarithm of the density, up to a constant. A parameter near which it is
  ///     not finite keeps the standard deviation of its prior.
  package init(at maximum: [Double], _ cost: ([Double]) -> Double) {
    let size = maximum.count
    func value(_ steps: [(index: Int, step: Double)]) -> Double {
      var place = maximum
      for (index, step) in steps { place[index] += step }
      return cost(place)
    }
    let middle = cost(maximum)
    var hessian = Matrix(zeros: size, size)
    var steps = [Double](repeating: 0.1, count: size)
    var sums = steps
    for index in 0..<size {
      // The second time, the step is the standard deviation that the first one found.
      for _ in 0..<2 {
        let step = steps[index]
        sums[index] = value([(index, step)]) + value([(index, -step)])
        hessian[index, index] = (sums[index] - 2 * middle) / (step * step)
        guard hessian[index, index].isFinite else { break }
        steps[index] = 1 / max(hessian[index, index], 1).squareRoot()
      }
      if !hessian[index, index].isFinite { hessian[index, index] = 1 }
    }
    for row in 0..<size {
      for column in 0..<row {
        let (a, b) = (steps[row], steps[column])
        let both =
          value([(row, a), (column, b)]) + value([(row, -a), (column, -b)]) + 2 * middle
        let mixed = (both - sums[row] - sums[column]) / (2 * a * b)
        guard mixed.isFinite else { continue }
        (hessian[row, column], hessian[column, row]) = (mixed, mixed)
      }
    }
    guard let eigen = SymmetricEigen(hessian) else {
      axes = (0..<size).map { own in (0..<size).map { $0 == own ? 1 : 0 } }
      return
    }
    axes = (0..<size).map { axis in
      let length = 1 / max(eigen.values[axis], 1).squareRoot()
      return (0..<size).map { length * eigen.vectors[$0, axis] }
    }
  }
}
