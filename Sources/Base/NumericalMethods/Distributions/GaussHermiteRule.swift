import RealModule

/// The nodes and weights of Gauss–Hermite quadrature: E[f(x)] ≈ Σ w f(x) for a standard normal x,
/// exact for polynomials up to twice the number of nodes less 1.
///
/// From the eigenvalues of the Jacobi matrix of the Hermite polynomials (Golub and Welsch, Math.
/// Comp. 23, 1969). O(nodes³) to create.
package struct GaussHermiteRule: Sendable {
  package let nodes: [Double]
  /// The weights, whose sum is 1.
  package let weights: [Double]

  /// - Parameter count: The number of nodes, at least 1.
  package init(count: Int) {
    var jacobi = Matrix(zeros: count, count)
    for index in 1..<max(count, 1) {
      jacobi[index, index - 1] = Double(index).squareRoot()
      jacobi[index - 1, index] = jacobi[index, index - 1]
    }
    guard let eigen = SymmetricEigen(jacobi) else {
      preconditionFailure("a Jacobi matrix has eigenvalues")
    }
    nodes = eigen.values
    weights = (0..<count).map { eigen.vectors[0, $0] * eigen.vectors[0, $0] }
  }

  /// Returns the logarithm of ∫ exp(g(x)) dx / √(2π) for a function with a single peak, with the
  /// share of each node, by quadrature about the peak with the width of its curvature (Liu and
  /// Pierce, Biometrika 81, 1994).
  ///
  /// - Parameters:
  ///   - peak: The place of the maximum of g.
  ///   - width: 1 / √(−g″) there.
  ///   - g: Returns the function at a place.
  /// - Returns: The logarithm, and the nodes' shares of the integral, whose sum is 1.
  package func logIntegral(
    peak: Double, width: Double, of g: (Double) -> Double
  ) -> (value: Double, shares: [Double]) {
    var shares = zip(nodes, weights).map { node, weight in
      g(peak + width * node) + 0.5 * node * node + Double.log(weight)
    }
    let largest = shares.max() ?? 0
    for index in shares.indices { shares[index] = Double.exp(shares[index] - largest) }
    let sum = shares.reduce(0, +)
    for index in shares.indices { shares[index] /= sum }
    return (largest + Double.log(width * sum), shares)
  }
}
