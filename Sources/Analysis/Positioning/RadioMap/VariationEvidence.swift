import Geometry
import NumericalMethods
import RealModule
import Support

/// The logarithm of the marginal likelihood of a survey under a ``LevelVariation``, pooled over
/// anchors, so that those with few places borrow strength from the others.
///
/// Source: Rasmussen and Williams, "Gaussian processes for machine learning", 2006, equations 2.30
/// and 5.9. Each evaluation costs O(n³) per anchor with n places.
struct VariationEvidence {
  /// The levels, one list per anchor.
  let levels: [[SurveyedLevel]]

  /// Returns the logarithm of the marginal likelihood, with its derivatives with respect to
  /// ``LevelVariation/logarithms``, or `nil` if a covariance matrix is singular.
  func value(_ variation: LevelVariation) -> (value: Double, gradient: [Double])? {
    var total = 0.0
    var gradient = [Double](repeating: 0, count: 6)
    for levels in levels where !levels.isEmpty {
      let count = levels.count
      let covariance = SurveyCovariance(levels, variation)
      guard let factor = CholeskyFactor(covariance.matrix, size: count) else { return nil }
      let residuals = levels.map(\.residual)
      let weights = factor.solve(residuals)
      total -= 0.5 * dot(residuals, weights) + 0.5 * factor.logDeterminant
      total -= 0.5 * Double(count) * Double.log(2 * Double.pi)
      add(to: &gradient, levels, weights, factor.inverse, covariance, variation)
    }
    return (total, gradient)
  }

  /// Adds ½ tr((α αᵀ - K⁻¹) ∂K/∂θ).
  private func add(
    to gradient: inout [Double], _ levels: [SurveyedLevel], _ weights: [Double],
    _ inverse: [Double], _ covariance: SurveyCovariance, _ variation: LevelVariation
  ) {
    let count = levels.count
    var (field, length, offset, recording, place, packet) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for i in 0..<count {
      let a = levels[i]
      for j in 0...i {
        let b = levels[j]
        // An element beside the diagonal counts twice.
        let factor =
          (j < i ? 2 : 1) * (weights[i] * weights[j] - inverse[i * count + j])
        field += factor * covariance.field[i * count + j]
        length += factor * covariance.slope[i * count + j]
        offset += factor
        if j < i, let number = a.recording, number == b.recording { recording += factor }
      }
      let factor = weights[i] * weights[i] - inverse[i * count + i]
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

  /// The largest distance of a component from its belief, in widths: levels without noise, as those
  /// of a formula, have no maximum.
  private static let widest = 4.0

  /// Returns the maximum a posteriori variation, with the kernel that is more likely.
  func mostLikely(_ belief: LevelVariation = .belief) -> LevelVariation {
    let kernels = LevelVariation.Kernel.allCases
    let best = parallel(kernels.count) { mostLikely(kernels[$0], belief) }
      .min { $0.cost < $1.cost }
    return best?.variation ?? belief
  }

  /// Returns the maximum a posteriori variation with a kernel, and minus the logarithm of its
  /// unnormalised posterior density.
  func mostLikely(
    _ kernel: LevelVariation.Kernel, _ belief: LevelVariation = .belief
  ) -> (variation: LevelVariation, cost: Double) {
    let centre = belief.logarithms
    let widths = LevelVariation.logBeliefWidths
    let minimum = GradientMinimum(from: centre, step: 0.3, tolerance: 1e-2, maximumSteps: 100) {
      logarithms, slopes in
      let scores = logarithms.indices.map { (logarithms[$0] - centre[$0]) / widths[$0] }
      guard scores.allSatisfy({ abs($0) < Self.widest }),
        let evidence = value(LevelVariation(kernel, logarithms: logarithms))
      else { return .infinity }
      var cost = -evidence.value
      for (index, score) in scores.enumerated() {
        cost += 0.5 * score * score
        slopes[index] = score / widths[index] - evidence.gradient[index]
      }
      return cost
    }
    return (LevelVariation(kernel, logarithms: minimum.place), minimum.value)
  }
}

/// The covariance of an anchor's levels under a ``LevelVariation``, row by row.
struct SurveyCovariance {
  /// The covariance of the levels, in dB².
  private(set) var matrix: [Double]
  /// The part of the field f, on and below the diagonal, in dB².
  private(set) var field: [Double]
  /// The derivative of `field` with respect to the logarithm of the length.
  private(set) var slope: [Double]

  init(_ levels: [SurveyedLevel], _ variation: LevelVariation) {
    let count = levels.count
    let offset = variation.anchorOffset * variation.anchorOffset
    let recording = variation.recordingOffset * variation.recordingOffset
    matrix = [Double](repeating: 0, count: count * count)
    (field, slope) = (matrix, matrix)
    for (i, a) in levels.enumerated() {
      for j in 0...i {
        let b = levels[j]
        let shared = variation.covariance(a.stretch, b.stretch)
        field[i * count + j] = shared.value
        slope[i * count + j] = shared.slope
        var value = offset + shared.value
        if i == j {
          value += recording / a.recordings + variation.noise(packets: a.packets)
        } else if let number = a.recording, number == b.recording {
          value += recording
        }
        matrix[i * count + j] = value
        matrix[j * count + i] = value
      }
    }
  }
}
