import Evaluation
import Positioning

/// The leaderboard as a table and as JSON.
struct EvalReport {
  let board: Leaderboard
  let levels: String
  let truthAt: String
  let epoch: String
  let isInSample: Bool

  var text: String {
    let asked = board.scores.first?.statistics.asked ?? 0
    var rows = [["error in m", "median", "95 % interval", "mean", "RMS", "p75", "p90", "p95", "max", "answered"]]
    for score in board.scores {
      let errors = score.statistics.errors
      rows.append([
        score.name, decimal(errors?.median, 2), interval(score.medianInterval),
        decimal(errors?.mean, 2), decimal(errors?.rms, 2), decimal(errors?.p75, 2),
        decimal(errors?.p90, 2), decimal(errors?.p95, 2), decimal(errors?.max, 2),
        decimal(score.statistics.availability * 100, 1) + " %",
      ])
    }
    var text = "\(asked) epochs (\(epoch)), levels: \(levels), truth at the window's \(truthAt)"
    text += (isInSample ? ", IN SAMPLE" : "") + "\n\n" + aligned(rows)
    text += comparisons
    let refusals = board.scores.compactMap { score -> String? in
      guard !score.refusals.isEmpty else { return nil }
      let reasons = score.refusals.sorted { $0.key.description < $1.key.description }
        .map { "\($0.value) × \($0.key)" }
      return "  \(score.name): \(reasons.joined(separator: ", "))\n"
    }
    if !refusals.isEmpty { text += "\nno answer\n" + refusals.joined() }
    return text
  }

  /// How much worse the others are than the best, on the epochs that both answered.
  private var comparisons: String {
    let rows = board.comparisons.compactMap { comparison -> [String]? in
      guard let difference = comparison.medianDifference else { return nil }
      // The comparison is first minus second; people ask how much worse the second is.
      let interval = comparison.interval.interval.map { (lower: -$0.upper, upper: -$0.lower) }
      let verdict = interval.map { $0.lower > 0 ? "worse" : $0.upper < 0 ? "better" : "not told apart" }
      return [
        "  " + comparison.second, decimal(-difference, 2),
        interval.map { "\(decimal($0.lower, 2)) – \(decimal($0.upper, 2))" } ?? "–",
        verdict ?? "too few traces",
      ]
    }
    guard let best = board.scores.first?.name, !rows.isEmpty else { return "" }
    return "\nagainst \(best), on common epochs: median difference in m, 95 % interval over traces\n"
      + aligned(rows)
  }

  private func interval(_ outcome: IntervalOutcome) -> String {
    outcome.interval.map { "\(decimal($0.lower, 2)) – \(decimal($0.upper, 2))" } ?? "–"
  }

  var json: JSONValue {
    .object([
      "epochs": .integer(board.scores.first?.statistics.asked ?? 0),
      "epoch": .string(epoch), "levels": .string(levels), "truth_at": .string(truthAt),
      "in_sample": .boolean(isInSample),
      "algorithms": .array(board.scores.map(algorithm)),
      "comparisons": .array(board.comparisons.map(comparison)),
    ])
  }

  private func algorithm(_ score: Score) -> JSONValue {
    let errors = score.statistics.errors
    return .object([
      "name": .string(score.name), "answered": .integer(score.statistics.answered),
      "availability": .number(score.statistics.availability),
      "error_m": .object([
        "mean": .optional(errors?.mean), "rms": .optional(errors?.rms),
        "median": .optional(errors?.median), "p75": .optional(errors?.p75),
        "p90": .optional(errors?.p90), "p95": .optional(errors?.p95),
        "max": .optional(errors?.max),
      ]),
      "ci95": .object([
        "median": json(score.medianInterval), "p75": json(score.p75Interval),
      ]),
      "refused": .object(
        Dictionary(
          uniqueKeysWithValues: score.refusals.map {
            ($0.key.description, JSONValue.integer($0.value))
          })),
    ])
  }

  private func comparison(_ comparison: PairedComparison) -> JSONValue {
    .object([
      "first": .string(comparison.first), "second": .string(comparison.second),
      "common_epochs": .integer(comparison.commonEpochs),
      "median_difference_m": .optional(comparison.medianDifference),
      "ci95": json(comparison.interval),
    ])
  }

  private func json(_ outcome: IntervalOutcome) -> JSONValue {
    guard let interval = outcome.interval else { return .null }
    return .array([.number(interval.lower), .number(interval.upper)])
  }
}
