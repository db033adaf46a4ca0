import Geometry
import RealModule

/// What the levels of all anchors at each place of a survey show together: each against the map of
/// its anchor without it.
struct SurveyedStays {
  /// A level of one anchor.
  private struct Level {
    /// How far it is from what the map expects without it, in dB, and the variance of that in dB².
    var error: Double
    var variance: Double
    /// How the path-loss curve of the anchor rises with the place, in dB a metre.
    var slope: SIMD2<Double>
  }

  private var all: [[Level]] = []

  private struct Stay: Hashable {
    var column: Int
    var row: Int
    var recording: Int?
  }

  /// - Parameters:
  ///   - levels: of each anchor.
  ///   - fields: learned from them.
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

  /// Slopes are those over this distance to either side, in metres: an error of a position is of
  /// its size.
  private static let reach = 1.0

  /// The variance in dB² that the levels of all anchors at one place have in common: how the device
  /// was held there, and what stood beside it.
  ///
  /// Errors of two anchors at one place have the product C² on the mean; products are weighted by
  /// the inverse of their variances, as is best where C is small. Pairs of places are not pairs of
  /// this.
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

  /// By how much the variance of a position is larger than levels whose errors are independent
  /// would have it, at least 1.
  ///
  /// Anchors near one another share their shadowing, which a map of each anchor by itself does not
  /// show. At each place the score Σ g e / v of the levels' likelihood, g their slopes, has the
  /// covariance H = Σ g gᵀ / v where errors are independent, and sᵀ H⁻¹ s is 2 on the mean. What it
  /// is instead, halved, is the dispersion, as in a quasi-likelihood. A survey of few places shows
  /// it badly: it counts as far as it is beyond chance, by its lower one-sided 95 % limit.
  ///
  /// Sources: McCullagh and Nelder, "Generalized linear models", 1989, section 9.2; Varin, Reid and
  /// Firth, "An overview of composite likelihood methods", Statistica Sinica 21 (2011), section
  /// 2.3.
  ///
  /// - Parameter common: the variance in dB² that is reckoned with as common to all levels.
  func dispersion(besides common: Double) -> Double {
    let scores = all.compactMap { Self.squaredScore($0, common) }
    let count = Double(scores.count)
    guard scores.count >= Self.fewest else { return 1 }
    let mean = scores.reduce(0, +) / count
    let variance = scores.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
    return max(1, (mean - 1.645 * (variance / count).squareRoot()) / 2)
  }

  /// Fewer places than this show nothing of the dispersion.
  private static let fewest = 10

  /// sᵀ H⁻¹ s; nil where fewer than three levels, or anchors in one direction, do not make a
  /// position.
  private static func squaredScore(_ levels: [Level], _ common: Double) -> Double? {
    guard levels.count >= 3 else { return nil }
    var (score, along) = (SIMD2<Double>.zero, SIMD2<Double>.zero)
    var (xx, xy, yy, precisions, errors) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for level in levels {
      let precision = 1 / max(level.variance - common, level.variance / 10)
      // Algorithms take an error of more than three deviations for an outlier.
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
  /// How the expected level rises with the place, in dB a metre, over a distance to either side.
  fileprivate func slope(at place: Point, over reach: Double) -> SIMD2<Double> {
    func level(_ x: Double, _ y: Double) -> Double {
      expectedLevel(at: Point(x: place.x + x, y: place.y + y), height: 0)
    }
    return [level(reach, 0) - level(-reach, 0), level(0, reach) - level(0, -reach)] / (2 * reach)
  }
}
