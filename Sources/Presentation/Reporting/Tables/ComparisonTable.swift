import Evaluation
import NumericalMethods

extension EvaluationDocument {
  /// The first algorithm in the running against each of the others.
  var comparisonTable: ReportTable? {
    guard let first = leaderboard.comparisons.first?.first else { return nil }
    return comparisonTable(
      leaderboard.comparisons, caption: "\(first) against each of the others, at common questions")
  }

  /// Every algorithm against every other.
  var allPairsTable: ReportTable? {
    guard leaderboard.allPairs.count > leaderboard.comparisons.count else { return nil }
    return comparisonTable(
      leaderboard.allPairs, caption: "Every pair of algorithms, at common questions")
  }

  /// Each algorithm now against an earlier evaluation.
  var changeTable: ReportTable? {
    guard let changes, !changes.changes.isEmpty else { return nil }
    let (places, level) = (places, leaderboard.verdict.level)
    let unit = settings.resampled.name
    return ReportTable(
      caption: "Now against \(changes.earlier), at \(units) of the same names",
      columns: [
        ReportTable.textColumn("algorithm"), ReportTable.textColumn("verdict"),
        ReportTable.column("before, m", "The \(changes.figure.rawValue) error of all answers"),
        ReportTable.column("now, m"),
        ReportTable.column(
          "effect",
          "How much larger the \(changes.figure.rawValue) error typically is in a \(unit) now "
            + "(Hodges–Lehmann), in metres"),
        ReportTable.textColumn("95 % interval", "Of the effect, over \(units)"),
        ReportTable.column("p (Holm)", "By flipping the signs of whole \(units), adjusted"),
        ReportTable.column(units),
      ],
      rows: changes.changes.map { change in
        [
          .algorithm(change.name, places[change.name]), .text(change.verdict(at: level)),
          .number(change.before), .number(change.after), .number(change.effect),
          .interval(change.interval), .probability(change.p), .count(change.commonTraces),
        ]
      })
  }

  private func comparisonTable(_ comparisons: [PairedComparison], caption: String) -> ReportTable {
    let places = places
    let (level, unit) = (leaderboard.verdict.level, settings.resampled.name)
    var table = ReportTable(
      caption: caption,
      columns: [
        ReportTable.textColumn("first"), ReportTable.textColumn("second"),
        ReportTable.textColumn("verdict"),
        ReportTable.column(
          "effect",
          "How much larger the second's \(leaderboard.figure.rawValue) error typically is in a "
            + "\(unit) (Hodges–Lehmann), in metres"
        ),
        ReportTable.textColumn("95 % interval", "Of the effect, over \(units)"),
        ReportTable.column("p", "Two-sided, by flipping the signs of whole \(units)"),
        ReportTable.column("p (Holm)", "The same, adjusted for all comparisons of this table"),
        ReportTable.column("questions", "That both answered"), ReportTable.column(units),
      ])
    table.rows = comparisons.map { comparison in
      [
        .algorithm(comparison.first, places[comparison.first]),
        .algorithm(comparison.second, places[comparison.second]),
        .text(Self.verdict(comparison, level: level)),
        .number(comparison.effect.map { -$0 }), .interval(Self.reversed(comparison.interval)),
        .probability(comparison.p), .probability(comparison.adjusted),
        .count(comparison.commonEpochs), .count(comparison.commonTraces),
      ]
    }
    return table
  }

  /// In words; the effect is the first's error minus the second's.
  private static func verdict(_ comparison: PairedComparison, level: Double) -> String {
    guard comparison.commonEpochs > 0, let effect = comparison.effect else {
      return "nothing in common"
    }
    guard comparison.isSignificant(at: level) else { return "not told apart" }
    return (comparison.meanOfTraces ?? effect) < 0 ? "first is better" : "second is better"
  }

  /// People ask how much worse the second is.
  private static func reversed(_ outcome: IntervalOutcome) -> IntervalOutcome {
    guard let interval = outcome.interval else { return outcome }
    return .interval(Interval(lower: -interval.upper, upper: -interval.lower))
  }
}

extension EvaluationChange {
  /// In words.
  func verdict(at level: Double) -> String {
    guard let effect else { return "nothing in common" }
    if effect == 0, interval.interval.map({ $0.lower == 0 && $0.upper == 0 }) ?? true {
      return "the same"
    }
    guard isSignificant(at: level) else { return "not told apart" }
    return effect < 0 ? "better" : "worse"
  }
}
