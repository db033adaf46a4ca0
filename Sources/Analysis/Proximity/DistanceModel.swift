public import NumericalMethods
package import PathLoss

/// The distribution of the distance given a level of one link.
package struct DistanceModel: Equatable, Sendable {
  /// The curve with its uncertainty.
  package var line: FittedLine
  /// The standard deviation in dB that all packets of a place share: the shadowing by walls and
  /// bodies, which no filter removes.
  package var shadowing: Double
  /// The degrees of freedom of the curve's errors and of the shadowing; infinite if they are taken
  /// as known.
  package var curveFreedom = Double.infinity
  package var shadowingFreedom = Double.infinity

  package init(line: FittedLine, shadowing: Double) {
    (self.line, self.shadowing) = (line, shadowing)
  }

  /// Creates the model of a fit, or returns `nil` if its levels give no distance.
  package init?(_ group: PathLossGroup) {
    guard let line = group.line, line.exponent > 0 else { return nil }
    // If the fit could not separate the shadowing, all scatter may belong to it.
    self.init(line: line, shadowing: group.positionDeviation ?? line.sigma)
    curveFreedom = min(group.powerFreedom ?? .infinity, group.exponentFreedom ?? .infinity)
    shadowingFreedom =
      group.positionDeviation == nil ? curveFreedom : max(Double(group.positions - 2), 1)
  }

  /// Creates the model of a beacon with only an approximately known power at 1 m.
  ///
  /// Public recordings have exponents of 0.4 to 2.4, shadowing of 3 to 8 dB and a standard
  /// deviation of 8 dB between powers of one kind of device; behind walls exponents reach 3.5
  /// (Rappaport, "Wireless Communications", 2002, table 4.2). Over simulated devices of both kinds
  /// the coverage of the 95 % interval is 95 % (`UncalibratedDistanceTests`).
  ///
  /// - Parameters:
  ///   - power: The RSSI at 1 m that the beacon advertises, in dBm.
  ///   - powerError: Its standard deviation in dB.
  package init(uncalibratedPower power: Double, powerError: Double = 5) {
    line = FittedLine(
      power: power, exponent: 2.2, sigma: 7.2, powerVariance: powerError * powerError,
      exponentVariance: 0.5 * 0.5, covariance: 0, quantile: 1.959_963_984_540_054)
    shadowing = 6
  }

  /// Returns the distance at a filtered level.
  ///
  /// - Parameters:
  ///   - level: The level in dBm.
  ///   - variance: The variance of the filtered level in dB²; NaN, for a raw level or an unknown
  ///     variance, takes that of one packet.
  package func distance(atLevel level: Double, variance: Double) -> DistanceEstimate? {
    let shadow = shadowing * shadowing
    // A packet's sigma includes the shadowing.
    let extra = variance.isFinite ? variance + shadow : max(line.sigma * line.sigma, shadow)
    var line = line
    line.quantile = quantile(atLevel: level, shadow: shadow, extra: extra)
    guard let found = line.distance(atLevel: level, extraVariance: extra) else { return nil }
    let interval = found.predictionInterval.flatMap { $0.lower <= $0.upper ? $0 : nil }
    return DistanceEstimate(distance: found.distance, interval: interval)
  }

  /// Returns the quantile of Student's t for 95 %.
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

  /// Returns the level at a distance in metres, in dBm.
  func level(atDistance distance: Double) -> Double { line.level(atDistance: distance).level }
}

/// The distance of a beacon, with the limits of the 95 % interval.
public struct DistanceEstimate: Equatable, Sendable {
  /// The distance, in metres.
  public var distance: Double
  /// The 95 % interval, in metres; `nil` if it is unbounded.
  public var interval: Interval?

  /// Creates a distance and its interval, in metres.
  public init(distance: Double, interval: Interval?) {
    (self.distance, self.interval) = (distance, interval)
  }
}
