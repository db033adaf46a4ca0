import Evaluation
import NumericalMethods
import Support

extension EvaluationDocument {
  /// The first algorithm in the running against each of the others over devices and sites.
  var mixedTable: ReportTable? {
    let comparisons = leaderboard.mixed
    guard let first = comparisons.first else { return nil }
    let (places, level) = (places, leaderboard.verdict.level)
    let columns: [ReportTable.Column<MixedComparison>] =
      [
        .text("second") { .algorithm($0.second, places[$0.second]) },
        .text("verdict") { .text($0.verdict(at: level)) },
        .number(
          "ratio",
          "Second's \(leaderboard.figure.rawValue) error over the first's, typical recording"
        ) { .number($0.ratio) },
        .text("95 % interval", "For other devices and sites than these") { .interval($0.interval) },
        .number("df", "Degrees of freedom, by Satterthwaite") { .number($0.degreesOfFreedom, 1) },
        .number("p (Holm)", "Student's t, adjusted for all comparisons of this table") {
          .probability($0.adjusted)
        },
      ]
      + first.components.map { component in
        .number(
          component.name(unit: settings.resampled.name),
          "Standard deviation of the logarithm of the error: 0.1 is 10 %"
        ) { .text($0.deviation(like: component)) }
      }
    return ReportTable(
      "\(first.first) against each of the others over devices and sites (mixed model of the "
        + "logarithm of the error)", of: comparisons, columns)
  }
}

extension MixedComparison {
  /// Returns the verdict.
  func verdict(at level: Double) -> String {
    guard let adjusted, adjusted <= level else { return noDifference }
    return ratio > 1 ? "first is better" : "second is better"
  }

  /// Returns a standard deviation with its interval, in words.
  fileprivate func deviation(like other: Component) -> String {
    let found = components.first {
      $0.factor == other.factor && $0.isOfAlgorithm == other.isOfAlgorithm
    }
    guard let found else { return "–" }
    let interval = found.interval.map {
      " (\(decimal($0.lower, 2)) to \(decimal($0.upper, 2)))"
    }
    return decimal(found.deviation, 2) + (interval ?? "")
  }
}

extension MixedComparison.Component {
  /// The name of the random effect.
  fileprivate func name(unit: String) -> String {
    guard let factor else { return "rest" }
    return (factor == .unit ? unit : factor.rawValue) + (isOfAlgorithm ? " × algorithm" : "")
  }
}
