package import NumericalMethods
import RealModule

/// One measured power and one exponent for beacons, receivers and positions that differ at random.
///
/// level = P + n x + beacon offset + receiver offset + position offset + packet noise, with
/// x = −10 log10(distance in m), offsets independent and Gaussian about 0. Standard deviations
/// maximise the restricted likelihood (REML: Patterson and Thompson, 1971), P and n are generalised
/// least squares, offsets the best linear unbiased predictions. Intervals take Student's t with
/// Satterthwaite's degrees of freedom, which are few where there are few beacons or receivers.
/// Where each grouping has many levels but one, time is linear in rows.
package struct HierarchicalFit: Equatable, Sendable {
  /// A standard deviation, dB.
  package struct Deviation: Equatable, Sendable {
    /// 0 where the likelihood is largest at that boundary.
    package let value: Double
    /// 95 %, Gaussian in the logarithm, so rough where there are few levels; nil where `value` is
    /// 0, or the likelihood has no curvature to show.
    package let interval: Interval?
  }

  /// What the offsets are measured from.
  package static let gauge = """
    Beacon and receiver offsets have expectation zero, so P is the power at 1 m of the average \
    beacon at the average receiver; only the sum of P and the offsets is determined by the levels.
    """

  /// P: dBm at 1 m.
  package internal(set) var measuredPower: Double
  /// n.
  package internal(set) var exponent: Double
  /// The covariance of P and n: [[var P, cov], [cov, var n]].
  package internal(set) var covariance: [[Double]]
  /// Satterthwaite's, at least 1; nil where the likelihood has no curvature to show.
  package internal(set) var powerDegreesOfFreedom: Double?
  package internal(set) var exponentDegreesOfFreedom: Double?
  /// Of the level at any distance; nil where the likelihood has no curvature to show.
  private(set) var lineFreedom: LineFreedom?
  /// Of the level in the middle of the readings, which the offsets are measured from.
  private(set) var offsetFreedom: Double?
  /// 95 %, dBm; nil where there are no degrees of freedom.
  package internal(set) var powerInterval: Interval?
  /// 95 %.
  package internal(set) var exponentInterval: Interval?
  /// Of each random effect that the readings show.
  package internal(set) var deviations: [RandomEffect: Deviation]
  /// Of packets about their position's mean.
  package internal(set) var packetDeviation: Deviation
  /// The restricted log-likelihood, with all its constants.
  package internal(set) var logLikelihood: Double
  /// Whether the search for the standard deviations ended at a maximum of the likelihood.
  package internal(set) var hasConverged: Bool
  /// By the input's index; empty where the beacons' offsets are left out.
  package internal(set) var beacons: [PredictedOffset]
  /// By the input's index; empty where the receivers' offsets are left out.
  package internal(set) var receivers: [PredictedOffset]
  /// Random effects left out, and why.
  package internal(set) var omissions: [RandomEffect.Omission]
  package internal(set) var packets: Double
  package internal(set) var positions: Int

  /// Fits.
  ///
  /// - Parameter sums: one or more a position, in any order.
  /// - Throws: `Refusal` where P, n and the noise cannot be stated.
  package init(_ sums: [PositionSums]) throws(Refusal) {
    try Self.check(sums)
    let (effects, omissions) = RandomEffect.select(for: sums)
    let line = CentredLine(sums)
    var model = MixedModel(
      rows: line.rows, levels: effects.map { sums.map($0.level) }, within: line.within)
    guard line.isNoisy else { throw .noNoise }
    let search = RatioSearch(&model, scale: line.ratio)
    guard search.ratios.allSatisfy({ $0 < 1e4 }) else { throw .noNoise }
    let degrees = model.count - 2
    let variance = model.variance(model.evaluate(search.ratios))
    let uncertainty = DeviationUncertainty(
      &model, at: search.ratios, variance: variance, origin: -line.x)
    let found = model.evaluate(search.ratios)

    exponent = line.slope + found.slope
    measuredPower = line.level + found.level - exponent * line.x
    let (level, both, slope) = found.covariance
    let cross = variance * (both - line.x * slope)
    let power = variance * (level - 2 * line.x * both + line.x * line.x * slope)
    covariance = [[power, cross], [cross, variance * slope]]
    powerDegreesOfFreedom = uncertainty?.degreesOfFreedom.power
    exponentDegreesOfFreedom = uncertainty?.degreesOfFreedom.exponent
    lineFreedom = uncertainty?.line
    offsetFreedom = lineFreedom?.degreesOfFreedom(at: line.x)
    powerInterval = interval(measuredPower, power, powerDegreesOfFreedom)
    exponentInterval = interval(exponent, variance * slope, exponentDegreesOfFreedom)
    let deviation = variance.squareRoot()
    packetDeviation = Deviation(deviation, logarithmError: uncertainty?.packetError)
    deviations = [:]
    for (index, effect) in effects.enumerated() {
      deviations[effect] = Deviation(
        search.ratios[index] * deviation, logarithmError: uncertainty?.error(ofEffect: index))
    }
    logLikelihood =
      -(degrees * (.log(2 * .pi * variance) + 1) + found.logDeterminants) / 2
    hasConverged = search.hasConverged && uncertainty != nil
    beacons = []
    receivers = []
    self.omissions = omissions
    packets = model.count
    positions = Set(sums.map(\.position)).count
    let offsets = effects.indices.map { index in
      PredictedOffset.all(
        of: index, &model, found, ratio: search.ratios[index], variance: variance,
        measuredPower: measuredPower, origin: -line.x)
    }
    for (effect, offsets) in zip(effects, offsets) {
      if effect == .beacon { beacons = offsets }
      if effect == .receiver { receivers = offsets }
    }
  }
}

extension HierarchicalFit.Deviation {
  init(_ value: Double, logarithmError: Double?) {
    self.value = value
    interval = logarithmError.map { error in
      let half = 1.959963984540054 * error
      return Interval(lower: value * .exp(-half), upper: value * .exp(half))
    }
  }
}

/// The 95 % interval of Student's t; nil where the degrees of freedom are not known.
func interval(_ centre: Double, _ variance: Double, _ degrees: Double?) -> Interval? {
  degrees.map { degrees in
    let half =
      StudentTDistribution(degreesOfFreedom: degrees).quantile(0.975) * variance.squareRoot()
    return Interval(lower: centre - half, upper: centre + half)
  }
}
