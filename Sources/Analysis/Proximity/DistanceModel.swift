import NumericalMethods
package import PathLoss

/// What a level of one link states of the distance.
package struct DistanceModel: Equatable, Sendable {
  /// The curve with its uncertainty.
  package var line: FittedLine
  /// Standard deviation in dB of what all packets of a place share: the shadows of walls and
  /// bodies, which no filter takes away.
  package var shadowing: Double

  package init(line: FittedLine, shadowing: Double) {
    (self.line, self.shadowing) = (line, shadowing)
  }

  /// The model of a beacon of which only the power at 1 m is known, and that not well.
  ///
  /// Indoors exponents of 1.5 to 3.5, shadowing of 3 to 8 dB and powers 5 dB off the label are
  /// usual; the intervals hold that much, so a number from here looks as poor as it is. Exponents:
  /// Rappaport, "Wireless Communications", 2002, table 4.2, and the public recordings in
  /// docs/path-loss.md.
  ///
  /// - Parameters:
  ///   - power: RSSI at 1 m as the beacon states it, dBm.
  ///   - powerError: its standard deviation in dB.
  package init(uncalibratedPower power: Double, powerError: Double = 5) {
    line = FittedLine(
      power: power, exponent: 2.2, sigma: 6, powerVariance: powerError * powerError,
      exponentVariance: 0.5 * 0.5, covariance: 0, quantile: 1.959_963_984_540_054)
    shadowing = 6
  }

  /// The distance at a filtered level.
  ///
  /// - Parameters:
  ///   - level: dBm.
  ///   - variance: of the filtered level, dB²; NaN where the filter does not know it, and the sigma
  ///     of one packet stands in for it.
  package func distance(atLevel level: Double, variance: Double) -> DistanceEstimate? {
    let noise = variance.isFinite ? variance : line.sigma * line.sigma
    guard let found = line.distance(atLevel: level, extraVariance: noise + shadowing * shadowing)
    else { return nil }
    let interval = found.predictionInterval.flatMap { $0.lower <= $0.upper ? $0 : nil }
    return DistanceEstimate(distance: found.distance, interval: interval)
  }

  /// The level at a distance in metres, dBm.
  func level(atDistance distance: Double) -> Double { line.level(atDistance: distance).level }
}
