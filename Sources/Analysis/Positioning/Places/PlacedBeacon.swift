package import Geometry
import RealModule

/// The place, the power and the exponent of a beacon that a survey heard, with their uncertainty.
package struct PlacedBeacon: Sendable {
  /// The judgement of a place.
  package enum Verdict: String, Sendable {
    case placed
    case fewReadings = "too few readings"
    case twoModes = "two modes"
    case uncertain = "too uncertain"
    case moves
  }

  /// The posterior on one floor.
  package struct Place: Sendable {
    /// The index of the floor.
    package var floor: Int
    package var mean: Point
    package var covariance: Covariance
    /// The probability of places that do not belong to the most probable mode.
    package var elsewhere: Double
    /// The measured power in dBm and the exponent, with their standard deviations.
    package var power: (mean: Double, deviation: Double)
    package var exponent: (mean: Double, deviation: Double)
  }

  /// The index of the anchor.
  package var anchor: Int
  /// The number of packets on its own floor.
  package var packets: Int
  /// The posterior on its own floor; nil for too few readings.
  package var place: Place?
  /// The apparent places on other floors.
  package var apparent: [Place] = []
  package var verdict: Verdict
  /// The comparison with a known place; nil without one.
  package var known: KnownPlace?

  /// The distance of its mean place from the known one, in metres.
  package var distanceFromKnown: Double? {
    place.flatMap { found in known.map { found.mean.distance(to: $0.place) } }
  }
}

extension PlacedBeacon.Place {
  init(_ likelihood: PlaceLikelihood, _ posterior: PlacePosterior, on floor: Int) {
    self.floor = floor
    (mean, covariance) = (posterior.mean, posterior.covariance)
    elsewhere = posterior.elsewhere
    // Cells of negligible weight are left out.
    let cells = posterior.weights.indices.filter { posterior.weights[$0] > 1e-6 }
    var (first, second, total) = (SIMD2<Double>.zero, SIMD2<Double>.zero, 0.0)
    let coefficients = likelihood.coefficients(at: cells.map { posterior.places[$0] })
    for (cell, one) in zip(cells, coefficients) {
      let weight = posterior.weights[cell]
      let mean = SIMD2(one.power, one.exponent)
      first += weight * mean
      second += weight * (mean * mean + SIMD2(one.powerVariance, one.exponentVariance))
      total += weight
    }
    first /= total
    let variance = second / total - first * first
    power = (first[0], max(variance[0], 0).squareRoot())
    exponent = (first[1], max(variance[1], 0).squareRoot())
  }

  /// Adds the variance by which the means change with the hyper-parameters.
  ///
  /// O(k (n³ + c n²)) for k hyper-parameters, n levels and c ≤ 128 cells.
  ///
  /// - Parameter posterior: The posterior for the likeliest hyper-parameters, with a uniform prior.
  mutating func widen(
    by learned: LearnedPlaceModel, _ levels: [SurveyedLevel], _ posterior: PlacePosterior
  ) {
    let least = 1e-3 * (posterior.weights.max() ?? 0)
    let places = posterior.weights.indices.filter { posterior.weights[$0] > least }
      .sampled(128).map { posterior.places[$0] }
    /// Returns the means of x, y, the power and the exponent.
    func mean(_ model: PlaceModel) -> SIMD4<Double>? {
      guard let likelihood = PlaceLikelihood(levels, model) else { return nil }
      let coefficients = likelihood.coefficients(at: places)
      let largest = coefficients.reduce(-.infinity) { max($0, $1.logLikelihood) }
      var (sum, total) = (SIMD4<Double>.zero, 0.0)
      for (index, one) in coefficients.enumerated() {
        let weight = Double.exp(one.logLikelihood - largest)
        sum += weight * SIMD4(places[index].x, places[index].y, one.power, one.exponent)
        total += weight
      }
      return sum / total
    }
    for pair in learned.pairs {
      guard let above = mean(pair.above), let below = mean(pair.below) else { continue }
      let change = 0.5 * (above - below)
      covariance.xx += change[0] * change[0]
      covariance.xy += change[0] * change[1]
      covariance.yy += change[1] * change[1]
      power.deviation = Double.hypot(power.deviation, change[2])
      exponent.deviation = Double.hypot(exponent.deviation, change[3])
    }
  }

  /// The ellipse of one standard deviation.
  package var ellipse: ErrorEllipse? { ErrorEllipse(covariance) }
}

/// The known place of an anchor, against the posterior from a survey.
package struct KnownPlace: Equatable, Sendable {
  package var place: Point
  /// The logarithm of the likelihood ratio of the most likely place and the known one.
  package var logRatio: Double
  /// The displacement that would be found with 80 % power at the level of the survey's test, as a
  /// mean over directions, in metres; the largest of the search if none would.
  package var detectable: Double

  /// Returns the logarithm of the likelihood ratio above which one of some correctly placed anchors
  /// lies with a probability.
  ///
  /// Twice the logarithm is chi-squared with two degrees of freedom, so that it exceeds t with
  /// probability exp(-t); the bound of Bonferroni holds for all anchors.
  package static func threshold(anchors: Int, falseAlarms: Double) -> Double {
    Double.log(Double(max(anchors, 1)) / falseAlarms)
  }
}
