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
  private let levels: [[SurveyedLevel]]
  private let pairs: StretchPairs

  /// - Parameter levels: The levels, one list per anchor.
  init(levels: [[SurveyedLevel]]) {
    self.levels = levels
    pairs = StretchPairs(levels)
  }

  /// Returns the logarithm of the marginal likelihood, with its derivatives with respect to
  /// ``LevelVariation/logarithms``, or `nil` if a covariance matrix is singular.
  func value(_ variation: LevelVariation) -> (value: Double, gradient: [Double])? {
    var total = 0.0
    var gradient = [Double](repeating: 0, count: 6)
    let covariances = pairs.covariances(variation)
    for (levels, numbers) in zip(levels, pairs.numbers) where !levels.isEmpty {
      let count = levels.count
      let matrix = levels.covariance(variation) {
        covariances[numbers[$0 * ($0 + 1) / 2 + $1]].value
      }
      guard let factor = CholeskyFactor(matrix, size: count) else { return nil }
      let residuals = levels.map(\.residual)
      let weights = factor.solve(residuals)
      total -= 0.5 * dot(residuals, weights) + 0.5 * factor.logDeterminant
      total -= 0.5 * Double(count) * Double.log(2 * Double.pi)
      add(to: &gradient, levels, weights, factor.inverse, variation) { covariances[numbers[$0]] }
    }
    return (total, gradient)
  }

  /// Adds ½ tr((α αᵀ - K⁻¹) ∂K/∂θ).
  private func add(
    to gradient: inout [Double], _ levels: [SurveyedLevel], _ weights: [Double],
    _ inverse: [Double], _ variation: LevelVariation,
    covariance: (Int) -> (value: Double, slope: Double)
  ) {
    let count = levels.count
    var (field, length, offset, recording, place, packet) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    var pair = 0
    for (i, level) in levels.enumerated() {
      for j in 0...i {
        // An element beside the diagonal counts twice.
        let factor =
          (j < i ? 2 : 1) * (weights[i] * weights[j] - inverse[i * count + j])
        let shared = covariance(pair)
        pair += 1
        field += factor * shared.value
        length += factor * shared.slope
        offset += factor
        if j < i, let number = level.recording, number == levels[j].recording {
          recording += factor
        }
      }
      let factor = weights[i] * weights[i] - inverse[i * count + i]
      recording += factor / level.recordings
      place += factor
      packet += factor / level.packets
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

/// The pairs of places of a survey, each once for all anchors that were received at both.
private struct StretchPairs {
  private var pairs: [(Stretch, Stretch)] = []
  /// For each anchor the index of the pair of each level with itself and those before it.
  private(set) var numbers: [[Int]] = []

  init(_ levels: [[SurveyedLevel]]) {
    let shared = SharedPlaces(levels)
    let count = shared.places.count
    var known: [Int: Int] = [:]
    for places in shared.numbers {
      var own: [Int] = []
      own.reserveCapacity(places.count * (places.count + 1) / 2)
      for (index, a) in places.enumerated() {
        for b in places[...index] {
          let number = known[max(a, b) * count + min(a, b), default: pairs.count]
          if number == pairs.count {
            known[max(a, b) * count + min(a, b)] = number
            pairs.append((shared.places[a], shared.places[b]))
          }
          own.append(number)
        }
      }
      numbers.append(own)
    }
  }

  /// Returns the covariance of f for each pair, with its derivative.
  func covariances(_ variation: LevelVariation) -> [(value: Double, slope: Double)] {
    pairs.map { variation.covariance($0.0, $0.1) }
  }
}

extension [SurveyedLevel] {
  /// Returns the covariance matrix of the levels of one anchor row by row, in dB²; elements above the
  /// diagonal are 0.
  ///
  /// - Parameter field: Returns the covariance of f for two indexed levels, in dB².
  func covariance(_ variation: LevelVariation, field: (Int, Int) -> Double) -> [Double] {
    let offset = variation.anchorOffset * variation.anchorOffset
    let recording = variation.recordingOffset * variation.recordingOffset
    var matrix = [Double](repeating: 0, count: count * count)
    for (i, level) in enumerated() {
      for j in 0..<i {
        let isSame = level.recording != nil && level.recording == self[j].recording
        matrix[i * count + j] = offset + field(i, j) + (isSame ? recording : 0)
      }
      matrix[i * count + i] =
        offset + field(i, i) + recording / level.recordings
        + variation.noise(packets: level.packets)
    }
    return matrix
  }
}
