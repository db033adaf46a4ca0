import NumericalMethods

extension Diagnostic {
  /// Returns a diagnostic if readings scatter more at some distances than at others.
  ///
  /// The score test of a variance that changes with log distance (Breusch and Pagan 1979), with the
  /// variance of the score taken over positions, so that many packets at a few places prove nothing
  /// (Koenker 1981 for the studentised form). Stated below a probability of 0.01.
  static func nonConstantVariance(_ residuals: Residuals) -> Diagnostic? {
    let observations = residuals.observations
    let positions = observations.clusterCount
    guard positions >= 10, residuals.all.count > 0 else { return nil }
    let x = residuals.stations.map { logDistance($0.distance) }
    let total = residuals.all.count
    let mean = zip(x, residuals.byStation).reduce(0) { $0 + $1.0 * $1.1.count } / total
    let variance = residuals.all.squares / total
    var scores = [Double](repeating: 0, count: positions)
    var moment = 0.0
    var spread = 0.0
    for (station, own) in residuals.byStation.enumerated() {
      let excess = own.squares - own.count * variance
      scores[observations.cluster[station]] += (x[station] - mean) * excess
      moment += (x[station] - mean) * own.squares
      spread += (x[station] - mean) * (x[station] - mean) * own.count
    }
    let score = scores.reduce(0, +)
    let squares = scores.reduce(0) { $0 + $1 * $1 }
    guard squares > 0, spread > 0, variance > 0 else { return nil }
    let statistic = score * score / squares
    let pValue = ChiSquaredDistribution(degreesOfFreedom: 1).above(statistic)
    guard pValue < 0.01 else { return nil }
    // x falls with distance.
    let grows = moment / spread < 0
    return Diagnostic(
      "non-constant-variance",
      "readings scatter \(grows ? "more" : "less") far away than near: one sigma does not hold for "
        + "all distances",
      value: statistic, pValue: pValue)
  }
}

extension Diagnostic {
  /// Returns a diagnostic if readings of a stay resemble the one before.
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

extension Diagnostic {
  /// Positions without which a constant would move by more than its standard error (DFBETAS of a
  /// cluster: Belsley, Kuh and Welsch, "Regression diagnostics", 1980, section 2.1); the worst
  /// three. Of fewer than ten positions each moves it.
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
          "without \(name) the exponent would be \(shown((group.exponent ?? 0) - change)): look at "
            + "it",
          value: -change)
      }
  }
}

extension Diagnostic {
  /// A position whose packets determine most of a constant, so that it is known from little more
  /// than one place. Stated where others of at least four positions have far fewer packets.
  static func dominantPosition(_ residuals: Residuals, _ errors: FitUncertainty) -> Diagnostic? {
    let counts = residuals.byPosition.map(\.count)
    guard counts.count >= 4, let (position, share) = errors.largestShare, share > 0.7,
      counts[position] > 3 * residuals.all.count / Double(counts.count)
    else { return nil }
    return Diagnostic(
      "dominant-position",
      "\(residuals.name(of: position)) alone has \(shown(100 * share, 0)) % of what determines a "
        + "constant, for its many packets: give each position one mean",
      value: share)
  }
}

extension Residuals {
  /// A position in words: its link and distance.
  func name(of position: Int) -> String {
    guard let index = observations.cluster.firstIndex(of: position) else { return "a position" }
    let station = stations[index]
    let isWalk = observations.cluster.count { $0 == position } > 1
    let link = "\(station.beacon) at \(station.receiver)"
    return isWalk
      ? "\(link) in \(station.series)" : "\(link), \(shown(station.distance)) m (\(station.series))"
  }
}
