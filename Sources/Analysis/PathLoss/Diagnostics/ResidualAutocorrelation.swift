import NumericalMethods

extension Diagnostic {
  /// Whether readings of a stay resemble the one before.
  ///
  /// The correlation of readings that followed each other, about the mean of their stay, pooled
  /// over stays on one channel, or on none that is known; with the bias of the mean, −1/n a stay,
  /// taken off (Kendall 1954). Stated where it is above 0.1 and no chance (two-sided, below 0.01).
  /// Standard errors by position allow for it; a sigma that is taken for independent noise does
  /// not.
  static func residualAutocorrelation(_ stations: [Station]) -> Diagnostic? {
    var covariance = 0.0
    var variance = 0.0
    var pairs = 0.0
    var bias = 0.0
    for station in stations where station.walk == nil && station.succession.pairs >= 10 {
      // Pairs are of one channel: about the mean of several they would only show that channels
      // differ.
      let channels = Set(station.levels.map(\.channel))
      guard channels.count == 1 else { continue }
      let chain = station.succession
      let count = Double(station.samples)
      let mean = station.meanLevel
      let n = Double(chain.pairs)
      covariance += chain.products - mean * (chain.earlier + chain.later) + n * mean * mean
      variance += station.squaresWithin * n / count
      pairs += n
      bias -= n / count
    }
    guard pairs >= 30, variance > 0 else { return nil }
    let correlation = covariance / variance - bias / pairs
    let pValue = 2 * NormalDistribution.above(abs(correlation) * pairs.squareRoot())
    guard abs(correlation) > 0.1, pValue < 0.01 else { return nil }
    return Diagnostic(
      "residual-autocorrelation",
      "successive readings correlate by \(shown(correlation)): packets of a stay are not "
        + "independent (errors by position allow for it)",
      value: correlation, pValue: pValue)
  }
}
