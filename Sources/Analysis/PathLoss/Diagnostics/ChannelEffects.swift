import NumericalMethods

extension Diagnostic {
  /// Returns a diagnostic if levels differ between the three advertising channels.
  ///
  /// Channels fade independently at each place, so the relevant measure is the spread of their
  /// means within positions. It is reported if it exceeds 1 dB and is significant: the F test of
  /// channels within positions, p < 0.01. A constant offset per channel would remove only the part
  /// that is the same everywhere.
  static func channelEffects(_ residuals: Residuals) -> Diagnostic? {
    var between = 0.0
    var within = 0.0
    var freedomBetween = 0.0
    var freedomWithin = 0.0
    var offsets = [Double](repeating: 0, count: 3)
    var places = 0.0
    // The squares of channel means about their place's mean, less the noise of the means.
    var spreadSquares = 0.0
    for station in residuals.stations {
      var sums = [Residuals.Sums](repeating: Residuals.Sums(), count: 3)
      for one in station.levels where (37...39).contains(one.channel) {
        let channel = Int(one.channel) - 37
        sums[channel].count += Double(one.count)
        sums[channel].sum += Double(one.count) * one.level
        sums[channel].squares += Double(one.count) * one.level * one.level
      }
      let heard = sums.filter { $0.count >= 2 }
      guard heard.count >= 2 else { continue }
      let count = heard.reduce(0) { $0 + $1.count }
      let mean = heard.reduce(0) { $0 + $1.sum } / count
      for one in heard {
        between += one.count * (one.mean - mean) * (one.mean - mean)
        within += max(one.squares - one.count * one.mean * one.mean, 0)
      }
      let freedom = Double(heard.count - 1)
      let centre = heard.reduce(0) { $0 + $1.mean } / Double(heard.count)
      let noise = heard.reduce(0) { $0 + $1.varianceOfMean } / Double(heard.count)
      spreadSquares += heard.reduce(0) { $0 + ($1.mean - centre) * ($1.mean - centre) }
      spreadSquares -= noise * freedom
      freedomBetween += freedom
      freedomWithin += count - Double(heard.count)
      if heard.count == 3 {
        places += 1
        for channel in 0..<3 { offsets[channel] += sums[channel].mean - centre }
      }
    }
    guard freedomBetween > 0, freedomWithin > 0, within > 0 else { return nil }
    let packet = within / freedomWithin
    let statistic = between / freedomBetween / packet
    let pValue = FDistribution(numerator: freedomBetween, denominator: freedomWithin)
      .above(statistic)
    let spread = max(spreadSquares / freedomBetween, 0).squareRoot()
    guard pValue < 0.01, spread > 1 else { return nil }
    let constant =
      places > 0
      ? ", on average over places "
        + offsets.map { "\(shown($0 / places, 1))" }.joined(separator: ", ")
        + " dB" : ""
    return Diagnostic(
      "channel-effects",
      "levels on channels 37 to 39 differ by \(shown(spread, 1)) dB at a place\(constant): "
        + "fit offsets of channels, or filter each channel separately",
      value: spread, pValue: pValue)
  }
}

extension Residuals.Sums {
  /// The variance of the mean of at least two readings.
  fileprivate var varianceOfMean: Double {
    max(squares - count * mean * mean, 0) / (count - 1) / count
  }
}
