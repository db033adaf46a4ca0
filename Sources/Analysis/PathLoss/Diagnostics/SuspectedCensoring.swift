import NumericalMethods

extension Diagnostic {
  /// Whether packets too weak for the receiver are probably missing.
  ///
  /// By the fitted curve and scatter, the share of packets that would be weaker than the weakest
  /// that the receiver heard: a sample that misses nothing leaves about one in its number, one that
  /// was cut off leaves more. Stated from 2 % on, or from 10 % at any position.
  static func suspectedCensoring(
    _ residuals: Residuals, _ group: PathLossGroup, weakest known: [String: Double]
  ) -> Diagnostic? {
    let stations = residuals.stations
    guard let sigma = group.sigma, sigma > 0, group.samples >= 100 else { return nil }
    // Of all that a receiver heard, where the group is a part of it.
    var weakest = known
    for station in stations {
      guard let level = station.levels.first?.level else { continue }
      weakest[station.receiver] = min(weakest[station.receiver] ?? level, level)
    }
    var expected = 0.0
    var most = 0.0
    for (index, station) in stations.enumerated() {
      let edge = (weakest[station.receiver] ?? 0) - 0.5
      let share = NormalDistribution.below((edge - residuals.predictions[index]) / sigma)
      expected += share * residuals.byStation[index].count
      if residuals.byStation[index].count >= 10 { most = max(most, share) }
    }
    let share = expected / residuals.all.count
    // Of few positions the farthest lies far off the curve often enough.
    guard share > 0.02 || most > 0.1 && group.positions >= 10 else { return nil }
    return Diagnostic(
      "suspected-censoring",
      "by this fit \(shown(100 * share, 1)) % of the packets (\(shown(100 * most, 0)) % at the "
        + "worst position) would be weaker than any that was heard: weak ones are probably "
        + "missing, and the exponent is too low; use the estimator censored where the beacon's "
        + "interval is known, truncated only where the receiver loses all packets below one level",
      value: share)
  }
}
