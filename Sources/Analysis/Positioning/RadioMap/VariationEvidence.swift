import Geometry
import NumericalMethods
import RealModule

/// The logarithm of the marginal likelihood of a survey under a ``LevelVariation``, pooled over
/// anchors, so that those with few places borrow strength from the others.
///
/// Source: Rasmussen and Williams, "Gaussian processes for machine learning", 2006, equations 2.30
/// and 5.9. Each evaluation costs O(n³) per anchor with n places.
struct VariationEvidence {
  /// The levels, one list per anchor.
  let levels: [[SurveyedLevel]]

  /// Returns the covariance matrix of an anchor's levels, row by row.
  static func covariance(_ levels: [SurveyedLevel], _ variation: LevelVariation) -> [Double] {
    let count = levels.count
    let offset = variation.anchorOffset * variation.anchorOffset
    let recording = variation.recordingOffset * variation.recordingOffset
    var matrix = [Double](repeating: 0, count: count * count)
    for (i, a) in levels.enumerated() {
      for j in 0..<i {
        let b = levels[j]
        var value = offset + variation.covariance(a.place, b.place)
        if let number = a.recording, number == b.recording { value += recording }
        matrix[i * count + j] = value
        matrix[j * count + i] = value
      }
      matrix[i * count + i] =
        offset + variation.spread * variation.spread + recording / a.recordings
        + variation.noise(packets: a.packets)
    }
    return matrix
  }

  /// Returns the logarithm of the marginal likelihood, with its derivatives with respect to
  /// ``LevelVariation/logarithms``, or `nil` if a covariance matrix is singular.
  func value(_ variation: LevelVariation) -> (value: Double, gradient: [Double])? {
    var total = 0.0
    var gradient = [Double](repeating: 0, count: 6)
    for levels in levels where !levels.isEmpty {
      let count = levels.count
      guard let factor = CholeskyFactor(Self.covariance(levels, variation), size: count) else {
        return nil
      }
      let residuals = levels.map(\.residual)
      let weights = factor.solve(residuals)
      total -= 0.5 * dot(residuals, weights) + 0.5 * factor.logDeterminant
      total -= 0.5 * Double(count) * Double.log(2 * Double.pi)
      add(to: &gradient, levels, weights, factor.inverse, variation)
    }
    return (total, gradient)
  }

  /// Adds ½ tr((α αᵀ - K⁻¹) ∂K/∂θ).
  private func add(
    to gradient: inout [Double], _ levels: [SurveyedLevel], _ weights: [Double],
    _ inverse: [Double],
    _ variation: LevelVariation
  ) {
    let count = levels.count
    let spread = variation.spread * variation.spread
    let root = 3.0.squareRoot() / variation.length
    var (field, length, offset, recording, place, packet) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for i in 0..<count {
      let a = levels[i]
      for j in 0..<i {
        let b = levels[j]
        let factor = 2 * (weights[i] * weights[j] - inverse[i * count + j])
        let ratio = root * a.place.distance(to: b.place)
        let fall = factor * spread * Double.exp(-ratio)
        field += fall * (1 + ratio)
        length += fall * ratio * ratio
        offset += factor
        if let number = a.recording, number == b.recording { recording += factor }
      }
      let factor = weights[i] * weights[i] - inverse[i * count + i]
      field += factor * spread
      offset += factor
      recording += factor / a.recordings
      place += factor
      packet += factor / a.packets
    }
    gradient[0] += field
    gradient[1] += 0.5 * length
    gradient[2] += offset * variation.anchorOffset * variation.anchorOffset
    gradient[3] += recording * variation.recordingOffset * variation.recordingOffset
    gradient[4] += place * variation.placeNoise * variation.placeNoise
    gradient[5] += packet * variation.packetNoise * variation.packetNoise
  }

  /// Returns the maximum a posteriori variation.
  func mostLikely(_ belief: LevelVariation = .belief) -> LevelVariation {
    let centre = belief.logarithms
    let widths = LevelVariation.logBeliefWidths
    let minimum = GradientMinimum(from: centre, step: 0.3, tolerance: 1e-2, maximumSteps: 60) {
      logarithms, slopes in
      guard let evidence = value(LevelVariation(logarithms: logarithms)) else { return .infinity }
      var cost = -evidence.value
      for index in slopes.indices {
        let score = (logarithms[index] - centre[index]) / widths[index]
        cost += 0.5 * score * score
        slopes[index] = score / widths[index] - evidence.gradient[index]
      }
      return cost
    }
    return LevelVariation(logarithms: minimum.place)
  }
}
