import NumericalMethods

extension Diagnostic {
  /// Returns a diagnostic if successive readings of a stay are correlated.
  ///
  /// The lag-1 correlation about the mean of the stay, pooled over stays on one channel (or without
  /// known channels), corrected for the bias of the mean, −1/n per stay (Kendall 1954). It is
  /// reported if it exceeds 0.1 and is significant (two-sided, p < 0.01). Standard errors by
  /// position allow for it; a sigma treated as independent noise does not.
  static func residualAutocorrelation(_ stations: [Station]) -> Diagnostic? {
    var covariance = 0.0
    var variance = 0.0
    var pairs = 0.0
    var bias = 0.0
    for station in stations where station.walk == nil && station.succession.pairs >= 10 {
      // Pairs are of one channel, because about a common mean they would only show that channels
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
      "the lag-1 correlation of readings is \(shown(correlation)): packets of a stay are not "
        + "independent (errors by position allow for it)",
      value: correlation, pValue: pValue)
  }
}

extension Diagnostic {
  /// Returns diagnostics for positions whose removal would move a constant by more than its
  /// standard error (DFBETAS of a cluster: Belsley, Kuh and Welsch, "Regression diagnostics", 1980,
  /// section 2.1), at most the worst three. With fewer than ten positions, each is influential.
  static func influentialPositions(
    _ residuals: Residuals, _ errors: FitUncertainty, _ group: PathLossGroup
  ) -> [Diagnostic] {
    guard group.errorBasis != .samples, group.positions >= 10,
      let exponentError = group.exponentError,
      exponentError > 0
    else { return [] }
    var worst: [(position: Int, change: Double)] = []
    for position in residuals.byPosition.indices {
      guard let moved = errors.influence(of: position), moved.count > 1 else { continue }
      if abs(moved[1]) > exponentError { worst.append((position, moved[1])) }
    }
    return worst.sorted { (abs($0.change), $1.position) > (abs($1.change), $0.position) }.prefix(3)
      .map { position, change in
        let name = residuals.name(of: position)
        return Diagnostic(
          "influential-position",
          "without \(name) the exponent would be \(shown((group.exponent ?? 0) - change)): check "
            + "this position",
          value: -change)
      }
  }
}

extension Diagnostic {
  /// Returns a diagnostic if the packets of one position determine most of a constant, which is
  /// then known from little more than one place. It is reported if the others of at least four
  /// positions have far fewer packets.
  static func dominantPosition(_ residuals: Residuals, _ errors: FitUncertainty) -> Diagnostic? {
    let counts = residuals.byPosition.map(\.count)
    // Positions at which nothing was received follow those with readings.
    guard counts.count >= 4, let (position, share) = errors.largestShare, share > 0.7,
      counts.indices.contains(position),
      counts[position] > 3 * residuals.all.count / Double(counts.count)
    else { return nil }
    return Diagnostic(
      "dominant-position",
      "\(residuals.name(of: position)) alone contributes \(shown(100 * share, 0)) % of the "
        + "information on a constant because of its many packets: reduce each position to its mean",
      value: share)
  }
}

extension Residuals {
  /// Returns the name of a position for messages: its link and distance.
  func name(of position: Int) -> String {
    guard let index = observations.cluster.firstIndex(of: position) else { return "a position" }
    let station = stations[index]
    let isWalk = observations.cluster.count { $0 == position } > 1
    let link = "\(station.beacon) at \(station.receiver)"
    return isWalk
      ? "\(link) in \(station.series)" : "\(link), \(shown(station.distance)) m (\(station.series))"
  }
}
