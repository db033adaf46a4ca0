public import NumericalMethods
package import PathLoss

/// What a level of one link states of the distance.
package struct DistanceModel: Equatable, Sendable {
  /// The curve with its uncertainty.
  package var line: FittedLine
  /// Standard deviation in dB of what all packets of a place share: the shadows of walls and
  /// bodies, which no filter takes away.
  package var shadowing: Double
  /// Degrees of freedom of the curve's errors and of the shadowing; infinite if taken as known.
  package var curveFreedom = Double.infinity
  package var shadowingFreedom = Double.infinity

  package init(line: FittedLine, shadowing: Double) {
    (self.line, self.shadowing) = (line, shadowing)
  }

  /// The model of a fit; nil where levels mean no distance.
  package init?(_ group: PathLossGroup) {
    guard let line = group.line, line.exponent > 0 else { return nil }
    // What packets of a place share; where the fit could not separate it, all scatter may be that.
    self.init(line: line, shadowing: group.positionDeviation ?? line.sigma)
    curveFreedom = min(group.powerFreedom ?? .infinity, group.exponentFreedom ?? .infinity)
    shadowingFreedom =
      group.positionDeviation == nil ? curveFreedom : max(Double(group.positions - 2), 1)
  }

  /// The model of a beacon of which only the power at 1 m is known, and that not well.
  ///
  /// Public recordings have exponents of 0.4 to 2.4, shadowing of 3 to 8 dB and powers of one kind
  /// of device 8 dB about their mean; behind walls exponents reach 3.5 (Rappaport, "Wireless
  /// Communications", 2002, table 4.2). Over simulated devices of both kinds the 95 % interval
  /// holds 95 % (`UncalibratedDistanceTests`).
  ///
  /// - Parameters:
  ///   - power: RSSI at 1 m as the beacon states it, dBm.
  ///   - powerError: its standard deviation in dB.
  package init(uncalibratedPower power: Double, powerError: Double = 5) {
    line = FittedLine(
      power: power, exponent: 2.2, sigma: 7.2, powerVariance: powerError * powerError,
      exponentVariance: 0.5 * 0.5, covariance: 0, quantile: 1.959_963_984_540_054)
    shadowing = 6
  }

  /// The distance at a filtered level.
  ///
  /// - Parameters:
  ///   - level: dBm.
  ///   - variance: of the filtered level, dB²; NaN for a raw level, or where the filter does not
  ///     know it: it then scatters as one packet does.
  package func distance(atLevel level: Double, variance: Double) -> DistanceEstimate? {
    let shadow = shadowing * shadowing
    // A packet's sigma holds the shadowing already.
    let extra = variance.isFinite ? variance + shadow : max(line.sigma * line.sigma, shadow)
    var line = line
    line.quantile = quantile(atLevel: level, shadow: shadow, extra: extra)
    guard let found = line.distance(atLevel: level, extraVariance: extra) else { return nil }
    let interval = found.predictionInterval.flatMap { $0.lower <= $0.upper ? $0 : nil }
    return DistanceEstimate(distance: found.distance, interval: interval)
  }

  /// The quantile of Student's t for 95 %.
  ///
  /// The curve's errors may have few degrees of freedom while the shadowing, most of the variance,
  /// is known from many places: the sum has the degrees of freedom of Satterthwaite (1946).
  private func quantile(atLevel level: Double, shadow: Double, extra: Double) -> Double {
    guard curveFreedom.isFinite || shadowingFreedom.isFinite else { return line.quantile }
    let x = (level - line.power) / line.exponent
    let curve = max(
      line.powerVariance + 2 * x * line.covariance + x * x * line.exponentVariance, 0)
    let total = curve + extra
    let freedom =
      total * total
      / (curve * curve / curveFreedom + shadow * shadow / shadowingFreedom)
    guard freedom >= 3 else {
      return freedom > 0
        ? StudentTDistribution(degreesOfFreedom: freedom).quantile(0.975) : line.quantile
    }
    // Abramowitz and Stegun 1964, 26.7.5, at 1.96: within 0.2 % from 3 degrees of freedom on.
    let inverse = 1 / freedom
    return 1.959_964
      + inverse * (2.372_271 + inverse * (2.822_497 + inverse * (2.555_851 + inverse * 1.589_536)))
  }

  /// The level at a distance in metres, dBm.
  func level(atDistance distance: Double) -> Double { line.level(atDistance: distance).level }
}

/// The distance of a beacon, with the limits of the 95 % interval.
public struct DistanceEstimate: Equatable, Sendable {
  /// The distance, in metres.
  public var distance: Double
  /// The 95 % interval, in metres; nil if the levels could set no limit.
  public var interval: Interval?

  /// Creates a distance and its interval, in metres.
  public init(distance: Double, interval: Interval?) {
    (self.distance, self.interval) = (distance, interval)
  }
}
