import Geometry
import Positioning

/// The figures of a score under the names of ISO/IEC 18305:2016, "Test and evaluation of
/// localization and tracking systems", clause 8.
package struct ISO18305: Equatable, Sendable {
  /// A figure of the standard.
  package struct Figure: Equatable, Sendable {
    /// The name in the standard.
    package var name: String
    /// The name in this toolkit.
    package var ourName: String
    /// The unit; empty for numbers without one.
    package var unit: String
    /// The value; `nil` if it does not apply, or nothing was answered.
    package var value: Double?
    /// The confidence interval over traces; `nil` if the figure has none.
    package var interval: IntervalOutcome?
  }

  /// The figures in the order of the standard.
  package var figures: [Figure]
}

extension ISO18305 {
  /// Creates the figures of one algorithm, without those that this toolkit does not measure:
  /// floors, relative accuracy, set-up time.
  package init(_ score: Score) {
    let errors = score.statistics.errors
    let (vertical, spherical) = (score.vertical?.size, score.spherical)
    let covariance = score.vector?.covariance
    var figures = [
      Figure(
        name: "zone detection probability", ourName: "zone detection rate", unit: "",
        value: score.zones?.rate, interval: score.zones?.interval),
      Figure(
        name: "mean of horizontal error", ourName: "mean", unit: "m", value: errors?.mean,
        interval: score.intervals.mean),
      Figure(
        name: "mean of vertical error", ourName: "vertical mean", unit: "m", value: vertical?.mean),
      Figure(
        name: "mean of 3-D error", ourName: "spherical mean", unit: "m", value: spherical?.mean),
    ]
    let elements: [(String, Double?)] = [
      ("xx", covariance?.xx), ("xy", covariance?.xy), ("yy", covariance?.yy),
      ("xz", covariance?.vertical?.xz), ("yz", covariance?.vertical?.yz),
      ("zz", covariance?.vertical?.zz),
    ]
    figures += elements.map {
      Figure(
        name: "covariance matrix of the error vector, \($0)", ourName: "covariance \($0)",
        unit: "m²",
        value: $1)
    }
    figures += [
      Figure(
        name: "variance of horizontal error", ourName: "rms² - mean²", unit: "m²",
        value: errors.map(Self.variance)),
      Figure(
        name: "variance of vertical error", ourName: "vertical rms² - mean²", unit: "m²",
        value: vertical.map(Self.variance)),
      Figure(
        name: "variance of 3-D error", ourName: "spherical rms² - mean²", unit: "m²",
        value: spherical.map(Self.variance)),
      Figure(name: "RMS of horizontal error", ourName: "rms", unit: "m", value: errors?.rms),
      Figure(
        name: "RMS of vertical error", ourName: "vertical rms", unit: "m", value: vertical?.rms),
      Figure(name: "RMS of 3-D error", ourName: "spherical rms", unit: "m", value: spherical?.rms),
      Figure(
        name: "absolute mean of the horizontal error vector", ourName: "bias", unit: "m",
        value: score.vector?.bias),
      Figure(
        name: "absolute mean of the vertical error", ourName: "vertical bias", unit: "m",
        value: score.vertical.map { abs($0.bias) }),
      Figure(
        name: "CEP", ourName: "median", unit: "m", value: errors?.median,
        interval: score.intervals.median),
      Figure(
        name: "CE95", ourName: "p95", unit: "m", value: errors?.p95, interval: score.intervals.p95),
      Figure(name: "VEP", ourName: "vertical median", unit: "m", value: vertical?.median),
      Figure(name: "VE95", ourName: "vertical p95", unit: "m", value: vertical?.p95),
      Figure(name: "SEP", ourName: "spherical median", unit: "m", value: spherical?.median),
      Figure(name: "SE95", ourName: "spherical p95", unit: "m", value: spherical?.p95),
      Figure(
        name: "availability", ourName: "availability", unit: "",
        value: score.statistics.asked > 0 ? score.statistics.availability : nil),
      Figure(
        name: "latency", ourName: "median age of the newest sighting", unit: "s",
        value: score.latency?.medianAge),
    ]
    self.figures = figures
  }

  private static func variance(_ errors: ErrorSummary) -> Double {
    max(0, errors.rms * errors.rms - errors.mean * errors.mean)
  }
}

/// The scores of the EvAAL and IPIN competitions.
package struct EvAAL: Equatable, Sendable {
  /// The third quartile of the horizontal error in metres, the score since 2014; `nil` without
  /// answers.
  package var thirdQuartile: Double?
  /// The accuracy score of 2013, from 0 to 10; `nil` without answers.
  package var score2013: Double?
}

extension EvAAL {
  package init(_ score: Score) { self.init(thirdQuartile: score.statistics.errors?.p75) }

  /// - Parameter thirdQuartile: The third quartile of the horizontal error, in metres.
  package init(thirdQuartile: Double?) {
    self.thirdQuartile = thirdQuartile
    score2013 = thirdQuartile.map { error in
      switch error {
      case ...0.5: 10
      case ...2: 10 + 4 * (0.5 - error)
      case ...4: 2 * (4 - error)
      default: 0
      }
    }
  }
}
