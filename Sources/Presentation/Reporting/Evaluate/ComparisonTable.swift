import Evaluation
import NumericalMethods
import Support

extension EvaluationDocument {
  /// The first algorithm in the running against each of the others.
  var comparisonTable: ReportTable? {
    guard let first = leaderboard.comparisons.first?.first else { return nil }
    return comparisonTable(
      leaderboard.comparisons, caption: "\(first) against each of the others, at common epochs")
  }

  /// Every algorithm against every other.
  var allPairsTable: ReportTable? {
    guard leaderboard.allPairs.count > leaderboard.comparisons.count else { return nil }
    return comparisonTable(
      leaderboard.allPairs, caption: "Every pair of algorithms, at common epochs")
  }

  /// Each algorithm now against an earlier evaluation.
  var changeTable: ReportTable? {
    guard let changes, !changes.changes.isEmpty else { return nil }
    let (places, level) = (places, leaderboard.verdict.level)
    let (figure, unit) = (changes.figure.rawValue, settings.resampled.name)
    let columns: [ReportTable.Column<EvaluationChange>] =
      [
        .text("algorithm") { .algorithm($0.name, places[$0.name]) },
        .text("verdict") { .text($0.verdict(at: level)) },
        .number("before, m", "The \(figure) error of all answers") { .number($0.before) },
        .number("now, m") { .number($0.after) },
        .text(
          "effect",
          "Typical change of the \(figure) error per \(unit) in metres (Hodges–Lehmann)"
        ) { .text($0.effectInWords) },
        .text("95 % interval", "Of the effect, over \(units)") {
          .interval($0.interval.interval)
        },
        .number("p (Holm)", "Sign-flip test over \(units), adjusted") {
          .probability($0.p)
        },
        .number(units) { .count($0.commonTraces) },
      ] + equivalenceColumn { $0.equivalence }
    return ReportTable(
      "Now against \(changes.earlier), at \(units) of the same names", of: changes.changes, columns)
  }

  /// The column of the tests against the margin, if there is one.
  private func equivalenceColumn<Row>(
    _ test: @escaping (Row) -> EquivalenceTest?
  ) -> [ReportTable.Column<Row>] {
    guard settings.margin != nil else { return [] }
    let level = leaderboard.verdict.level
    return [
      .text("against the margin", "Signed-rank tests against the margin, adjusted by Holm") {
        .text(test($0)?.inWords(at: level) ?? "–")
      }
    ]
  }

  private func comparisonTable(_ comparisons: [PairedComparison], caption: String) -> ReportTable {
    let places = places
    let (level, unit) = (leaderboard.verdict.level, settings.resampled.name)
    return ReportTable(
      caption, of: comparisons,
      [
        .text("first") { .algorithm($0.first, places[$0.first]) },
        .text("second") { .algorithm($0.second, places[$0.second]) },
        .text("verdict") { .text(Self.verdict($0, level: level)) },
        .number(
          "effect",
          "Second's \(leaderboard.figure.rawValue) error minus the first's in a typical \(unit), in "
            + "metres (Hodges–Lehmann)"
        ) { .number($0.effect.map { -$0 }) },
        .text("95 % interval", "Of the effect, over \(units)") {
          .interval($0.intervalOfSecond)
        },
        .number("p", "Two-sided sign-flip test over \(units)") {
          .probability($0.p)
        },
        .number("p (Holm)", "The same, adjusted for all comparisons of this table") {
          .probability($0.adjusted)
        },
        .number("epochs", "Answered by both") { .count($0.commonEpochs) },
        .number(units) { .count($0.commonTraces) },
      ] + equivalenceColumn { $0.equivalence })
  }

  /// Returns the verdict; the effect is the first's error minus the second's.
  private static func verdict(_ comparison: PairedComparison, level: Double) -> String {
    guard comparison.commonEpochs > 0, let effect = comparison.effect else {
      return "nothing in common"
    }
    guard comparison.isSignificant(at: level) else { return noDifference }
    return (comparison.meanOfTraces ?? effect) < 0 ? "first is better" : "second is better"
  }
}

extension PairedComparison {
  /// The interval of the second's error minus the first's.
  var intervalOfSecond: Interval? {
    interval.interval.map { Interval(lower: -$0.upper, upper: -$0.lower) }
  }
}

extension EquivalenceTest {
  /// Returns the outcome for the second algorithm in words.
  func inWords(at level: Double) -> String {
    let size = "\(plain(margin)) m"
    return switch outcome(at: level) {
    case .equivalent: "equivalent within \(size)"
    case .notWorse: "not worse by more than \(size)"
    case .worse: "worse by more than \(size)"
    case .undecided: "undecided"
    }
  }
}

extension EvaluationChange {
  /// Returns the verdict.
  func verdict(at level: Double) -> String {
    guard let effect else { return "nothing in common" }
    if effect == 0, interval.interval.map({ $0.lower == 0 && $0.upper == 0 }) ?? true {
      return "the same"
    }
    guard isSignificant(at: level) else { return noDifference }
    return effect < 0 ? "better" : "worse"
  }

  /// The effect with its sign and its meaning.
  var effectInWords: String {
    guard let effect else { return "–" }
    let text = signed(effect)
    return text == "0.00" ? text : "\(text) (\(effect < 0 ? "better" : "worse"))"
  }
}
