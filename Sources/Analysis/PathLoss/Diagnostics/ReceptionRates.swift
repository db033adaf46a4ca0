import NumericalMethods

extension Diagnostic {
  /// Returns a diagnostic if packets too weak for the receiver are probably missing.
  ///
  /// If the durations of stays or visits are known, it is reported if stays with weak levels have
  /// fewer packets per second than those with strong levels of the same beacon (Spearman's rank
  /// correlation, p < 0.01). Otherwise it is reported if the fitted curve and scatter put more than
  /// 2 % of the packets, or 10 % of those of a position, below the weakest received level: about
  /// 1/n is expected for a complete sample, more for one with a hard edge.
  static func suspectedCensoring(
    _ residuals: Residuals, _ group: PathLossGroup, weakest known: [String: Double]
  ) -> Diagnostic? {
    if let rates = ReceptionRates(residuals.stations) {
      guard rates.correlation > 0, rates.pValue < 0.01 else { return nil }
      return Diagnostic(
        "suspected-censoring",
        "stays with weak levels have fewer packets per second (rank correlation "
          + "\(shown(rates.correlation))): weak packets are missing, and the exponent is too low; "
          + remedy,
        value: rates.correlation, pValue: rates.pValue)
    }
    guard let (share, most) = shareBelowWeakest(residuals, group, known),
      // With few positions the farthest is often far off the curve.
      share > 0.02 || most > 0.1 && group.positions >= 10
    else { return nil }
    return Diagnostic(
      "suspected-censoring",
      "by this fit \(shown(100 * share, 1)) % of the packets (\(shown(100 * most, 0)) % at the "
        + "worst position) would be weaker than the weakest received: weak ones are probably "
        + "missing, and the exponent is too low; " + remedy,
      value: share)
  }

  private static let remedy =
    "use the estimator censored if missed packets can be counted, or truncated if not"

  /// Returns the shares of all packets, and of those of one position, that the fit puts below the
  /// weakest received level.
  private static func shareBelowWeakest(
    _ residuals: Residuals, _ group: PathLossGroup, _ known: [String: Double]
  ) -> (all: Double, most: Double)? {
    guard let sigma = group.sigma, sigma > 0, group.samples >= 100 else { return nil }
    // The weakest of all that the receiver received, if the group is only a part of it.
    var weakest = known
    for station in residuals.stations {
      guard let level = station.levels.first?.level else { continue }
      weakest[station.receiver] = min(weakest[station.receiver] ?? level, level)
    }
    var expected = 0.0
    var most = 0.0
    for (index, station) in residuals.stations.enumerated() {
      let edge = (weakest[station.receiver] ?? 0) - 0.5
      let share = NormalDistribution.below((edge - residuals.predictions[index]) / sigma)
      expected += share * residuals.byStation[index].count
      if residuals.byStation[index].count >= 10 { most = max(most, share) }
    }
    return (expected / residuals.all.count, most)
  }
}

/// The rank correlation between the packets per second of stays and their mean levels, within
/// links, because beacons differ in their intervals and powers.
struct ReceptionRates {
  /// Spearman's correlation of ranks within links.
  let correlation: Double
  /// The two-sided p-value of Student's t for it.
  let pValue: Double

  /// The smallest number of stays, less one per link.
  private static let fewest = 8.0

  /// - Returns: `nil` if there are too few stays with a known duration, or their rates do not vary.
  init?(_ stations: [Station]) {
    var links: [[String]: [(rate: Double, level: Double)]] = [:]
    let spans = stations.compactMap(\.span).map { Double($0.upperBound - $0.lowerBound) / 1e9 }
    let typical = spans.isEmpty ? 0 : spans.sorted()[spans.count / 2]
    for station in stations where station.samples > 0 {
      guard let rate = station.rate(typical: typical) else { continue }
      links[[station.beacon, station.receiver, station.series], default: []]
        .append((rate, station.meanLevel))
    }
    var (products, squares, other, freedom) = (0.0, 0.0, 0.0, 0.0)
    for link in links.values where link.count >= 3 {
      let rates = Self.centredRanks(link.map(\.rate))
      let levels = Self.centredRanks(link.map(\.level))
      // Links with many stays would otherwise have more than their share of the weight.
      let weight = 12 / Double(link.count * (link.count + 1))
      products += weight * dot(rates, levels)
      squares += weight * dot(rates, rates)
      other += weight * dot(levels, levels)
      freedom += Double(link.count - 1)
    }
    guard freedom >= Self.fewest, squares > 0, other > 0 else { return nil }
    correlation = products / (squares * other).squareRoot()
    let left = max(1 - correlation * correlation, 1e-12)
    let t = abs(correlation) * ((freedom - 1) / left).squareRoot()
    pValue = 2 * StudentTDistribution(degreesOfFreedom: freedom - 1).above(t)
  }

  /// Returns ranks less their mean.
  private static func centredRanks(_ values: [Double]) -> [Double] {
    meanRanks(values).map { $0 - 0.5 * Double(values.count + 1) }
  }
}

extension Station {
  /// Returns the packets per second, or `nil` if the duration is unknown.
  ///
  /// - Parameter typical: The duration of stays that have too few packets to estimate it, in seconds.
  fileprivate func rate(typical: Double) -> Double? {
    if let visit { return Double(samples) / max(visit.seconds, visit.scanPeriod ?? 1) }
    guard let span else { return nil }
    let own = Double(span.upperBound - span.lowerBound) / 1e9
    let seconds = samples >= 5 ? own : max(own, typical)
    return seconds > 0 ? Double(samples) / seconds : nil
  }
}
