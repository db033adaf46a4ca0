package import Geometry
import NumericalMethods
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
  /// - Parameter prior: The logarithm of the prior density of the place; uniform by default.
  init(
    _ likelihood: PlaceLikelihood, _ posterior: PlacePosterior, on floor: Int
  ) {
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

  /// The ellipse of one standard deviation.
  package var ellipse: ErrorEllipse? { ErrorEllipse(covariance) }
}

/// The known place of an anchor, against the posterior from a survey.
package struct KnownPlace: Equatable, Sendable {
  package var place: Point
  /// The logarithm of the likelihood ratio of the most likely place and the known one.
  package var logRatio: Double
  /// The displacement that would be found with 80 % power at the level of the survey's test, as a
  /// mean over directions, in metres.
  package var detectable: Double

  /// Returns the logarithm of the likelihood ratio above which one of some correctly placed anchors
  /// lies with a probability.
  ///
  /// Twice the logarithm is chi-squared with two degrees of freedom, so that it exceeds t with
  /// probability exp(-t); the bound of Bonferroni holds for all anchors.
  package static func threshold(anchors: Int, falseAlarms: Double) -> Double {
    Double.log(Double(max(anchors, 1)) / falseAlarms)
  }

  /// Returns the displacement that a test finds with a power, averaged over 16 directions.
  ///
  /// For a normal posterior, twice the logarithm of the ratio at a displacement d is non-central
  /// chi-squared with two degrees of freedom and non-centrality dᵀ C⁻¹ d.
  static func displacement(
    found power: Double, at threshold: Double, _ covariance: Covariance
  ) -> Double {
    let directions = (0..<16).map { index in
      let angle = Double(index) * Double.pi / 16
      return covariance.squaredScore(Double.cos(angle), Double.sin(angle))
    }
    func found(_ displacement: Double) -> Double {
      directions.reduce(0) {
        $0 + exceedance(of: 2 * threshold, nonCentrality: $1 * displacement * displacement) / 16
      }
    }
    var (low, high) = (0.0, 1.0)
    while found(high) < power, high < 1e4 { high *= 2 }
    for _ in 0..<40 {
      let middle = (low + high) / 2
      if found(middle) < power { low = middle } else { high = middle }
    }
    return high
  }

  /// Returns the probability that a non-central chi-squared value with two degrees of freedom
  /// exceeds a limit: a Poisson mixture of central ones (Johnson, Kotz and Balakrishnan,
  /// "Continuous univariate distributions" 2, 1995, section 29.3).
  static func exceedance(of limit: Double, nonCentrality: Double) -> Double {
    let (half, rate) = (limit / 2, nonCentrality / 2)
    // Far above the limit the terms would underflow, and the probability is 1.
    guard rate < 600 else { return 1 }
    var (weight, term) = (Double.exp(-rate), Double.exp(-half))
    var (tail, sum) = (term, 0.0)
    for index in 1...2000 {
      sum += weight * tail
      weight *= rate / Double(index)
      term *= half / Double(index)
      tail += term
      if Double(index) > rate, weight < 1e-12 { break }
    }
    return min(sum, 1)
  }
}
