import Geometry
import RealModule

/// The joint errors of all anchors' levels at each surveyed place, each against the map of its
/// anchor without that level.
struct SurveyedStays {
  /// A level of one anchor.
  private struct Level {
    /// The leave-one-out error in dB, with its variance in dB².
    var error: Double
    var variance: Double
    /// The gradient of the expected level of the anchor, in dB per metre.
    var slope: SIMD2<Double>
  }

  private var all: [[Level]] = []

  private struct Stay: Hashable {
    var column: Int
    var row: Int
    var recording: Int?
  }

  /// - Parameters:
  ///   - levels: The levels of each anchor.
  ///   - fields: The posteriors learned from them.
  init(_ levels: [[SurveyedLevel]], _ fields: [ResidualField], _ anchors: [Anchor]) {
    var stays: [Stay: Int] = [:]
    for ((levels, field), anchor) in zip(zip(levels, fields), anchors) {
      for (level, left) in zip(levels, field.leftOut) {
        let stay = Stay(
          column: Int((level.place.x / 0.5).rounded(.down)),
          row: Int((level.place.y / 0.5).rounded(.down)), recording: level.recording)
        let number = stays[stay] ?? all.count
        if number == all.count {
          stays[stay] = number
          all.append([])
        }
        all[number].append(
          Level(
            error: left.error, variance: left.variance,
            slope: anchor.slope(at: level.place, over: Self.reach)))
      }
    }
  }

  /// The distance to either side over which slopes are taken, in metres, about the size of an
  /// error.
  private static let reach = 1.0

  /// The variance in dB² that the levels of all anchors at one place share: how the device was held
  /// there, and the obstacles next to it.
  ///
  /// The expected product of the errors of two anchors at one place is C²; products are weighted by
  /// the inverse of their variances, which is optimal for small C. Pairs of different places are
  /// not used.
  var commonVariance: Double {
    let pairs = all.reduce(into: (products: 0.0, weights: 0.0)) { sum, levels in
      // The sums of e / v, of their squares, of 1 / v and of their squares.
      var sums = SIMD4<Double>.zero
      for level in levels {
        let (score, precision) = (level.error / level.variance, 1 / level.variance)
        sums += [score, score * score, precision, precision * precision]
      }
      sum.products += sums[0] * sums[0] - sums[1]
      sum.weights += sums[2] * sums[2] - sums[3]
    }
    return pairs.weights > 0 ? max(pairs.products / pairs.weights, 0) : 0
  }

  /// Returns the overdispersion of positions, at least 1: their variance relative to that of levels
  /// with independent errors.
  ///
  /// Neighbouring anchors share their shadowing, which separate maps per anchor do not contain. At
  /// each place the score Σ g e / v of the levels' likelihood, with g their slopes, has the
  /// covariance H = Σ g gᵀ / v for independent errors, and the mean of sᵀ H⁻¹ s is 2. The observed
  /// mean, halved, is the dispersion, as in a quasi-likelihood. It is imprecise in a survey of few
  /// places, so the lower one-sided 95 % limit is used.
  ///
  /// Sources: McCullagh and Nelder, "Generalized linear models", 1989, section 9.2; Varin, Reid and
  /// Firth, "An overview of composite likelihood methods", Statistica Sinica 21 (2011), section
  /// 2.3.
  ///
  /// - Parameter common: The variance in dB² that is modelled as common to all levels.
  func dispersion(besides common: Double) -> Double {
    let scores = all.compactMap { Self.squaredScore($0, common) }
    let count = Double(scores.count)
    guard scores.count >= Self.fewest else { return 1 }
    let mean = scores.reduce(0, +) / count
    let variance = scores.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
    return max(1, (mean - 1.645 * (variance / count).squareRoot()) / 2)
  }

  /// The smallest number of places for an estimate of the dispersion.
  private static let fewest = 10

  /// Returns sᵀ H⁻¹ s, or `nil` if the levels do not determine a position: fewer than three, or
  /// anchors in one direction.
  private static func squaredScore(_ levels: [Level], _ common: Double) -> Double? {
    guard levels.count >= 3 else { return nil }
    var (score, along) = (SIMD2<Double>.zero, SIMD2<Double>.zero)
    var (xx, xy, yy, precisions, errors) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for level in levels {
      let precision = 1 / max(level.variance - common, level.variance / 10)
      // Algorithms clip errors of more than three standard deviations.
      let most = 3 * level.variance.squareRoot()
      let error = min(max(level.error, -most), most)
      score += precision * error * level.slope
      along += precision * level.slope
      xx += precision * level.slope.x * level.slope.x
      xy += precision * level.slope.x * level.slope.y
      yy += precision * level.slope.y * level.slope.y
      precisions += precision
      errors += precision * error
    }
    if common > 0 {
      // The inverse of a diagonal matrix and a constant (Sherman and Morrison).
      let share = 1 / (1 / common + precisions)
      score -= share * errors * along
      xx -= share * along.x * along.x
      xy -= share * along.x * along.y
      yy -= share * along.y * along.y
    }
    let determinant = xx * yy - xy * xy
    guard determinant > 1e-6 * xx * yy else { return nil }
    return (yy * score.x * score.x - 2 * xy * score.x * score.y + xx * score.y * score.y)
      / determinant
  }
}

extension Anchor {
  /// Returns the gradient of the expected level, in dB per metre, over a distance to either side.
  fileprivate func slope(at place: Point, over reach: Double) -> SIMD2<Double> {
    func level(_ x: Double, _ y: Double) -> Double {
      expectedLevel(at: Point(x: place.x + x, y: place.y + y), height: 0)
    }
    return [level(reach, 0) - level(-reach, 0), level(0, reach) - level(0, -reach)] / (2 * reach)
  }
}
