import Geometry
import NumericalMethods
import RealModule

/// The posterior of one anchor's difference from its path-loss curve, at any place.
///
/// Gaussian-process regression; source: Rasmussen and Williams, "Gaussian processes for machine
/// learning", 2006, equations 2.25 and 2.26. O(n³) to create and O(n²) per place, for n surveyed
/// levels.
struct ResidualField: Sendable {
  private let variation: LevelVariation
  private let places: [Stretch]
  /// K⁻¹ y.
  private let weights: [Double]
  /// Twice K⁻¹ below the diagonal and K⁻¹ on it, so that kᵀ K⁻¹ k is one product with k; each
  /// row padded to whole vectors.
  private let inverse: [SIMD8<Double>]

  /// - Returns: nil where the covariance matrix is singular.
  init?(_ levels: [SurveyedLevel], _ variation: LevelVariation) {
    self.variation = variation
    places = levels.map(\.stretch)
    let count = levels.count
    guard count > 0 else {
      (weights, inverse) = ([], [])
      return
    }
    let matrix = levels.covariance(variation) {
      variation.covariance(levels[$0].stretch, levels[$1].stretch).value
    }
    guard let factor = CholeskyFactor(matrix, size: count) else { return nil }
    weights = factor.solve(levels.map(\.residual))
    let full = factor.inverse
    let blocks = (count + 7) / 8
    var inverse = [SIMD8<Double>](repeating: .zero, count: count * blocks)
    for i in 0..<count {
      for j in 0...i { inverse[i * blocks + j / 8][j % 8] = (j < i ? 2 : 1) * full[i * count + j] }
    }
    self.inverse = inverse
  }

  /// The leave-one-out error of each level, in dB, with its expected variance in dB² (Rasmussen and
  /// Williams 2006, equations 5.10 to 5.12).
  var leftOut: [(error: Double, variance: Double)] {
    let blocks = (places.count + 7) / 8
    return places.indices.map { index in
      let precision = inverse[index * blocks + index / 8][index % 8]
      return (weights[index] / precision, 1 / precision)
    }
  }

  /// Returns the mean in dB and the variance in dB² of b + f(p), see ``LevelVariation``.
  func prediction(at place: Point) -> (mean: Double, variance: Double) {
    prediction { variation.covariance(place, places[$0]) }
  }

  /// Returns ``prediction(at:)`` from known covariances with the surveyed places.
  ///
  /// - Parameter covariance: Returns the covariance of f at the place and at an indexed level, in
  ///   dB².
  func prediction(_ covariance: (Int) -> Double) -> (mean: Double, variance: Double) {
    let offset = variation.anchorOffset * variation.anchorOffset
    let prior = offset + variation.spread * variation.spread
    let blocks = (places.count + 7) / 8
    var near = [SIMD8<Double>](repeating: .zero, count: blocks)
    var mean = 0.0
    for i in places.indices {
      let value = offset + covariance(i)
      near[i / 8][i % 8] = value
      mean += value * weights[i]
    }
    var explained = 0.0
    for i in places.indices {
      var sum = SIMD8<Double>.zero
      for block in 0...(i / 8) { sum += inverse[i * blocks + block] * near[block] }
      explained += near[i / 8][i % 8] * sum.sum()
    }
    return (mean, max(prior - explained, 0))
  }
}
