package import Evaluation
import NumericalMethods
import Positioning
import Support

/// An evaluation as tables for a terminal.
package struct EvaluationText {
  private let document: EvaluationDocument
  private var board: Leaderboard { document.leaderboard }

  package init(_ document: EvaluationDocument) { self.document = document }

  package var report: TextReport {
    var report = TextReport()
    report.add(heading)
    report.add(table: document.leaderboardTable)
    for part in [
      assumption, verdict, changes, comparisons, matched, claims, dependence, lags, silences,
    ]
    .compactMap(\.self) {
      report.add("\n")
      report.add(part)
    }
    return report
  }

  private var heading: String {
    let settings = document.settings
    let asked = board.scores.first?.statistics.asked ?? 0
    var text =
      "\(asked) epochs (\(settings.epoch)), levels: \(settings.levels), truth at the "
      + (settings.truthAt == "stop" ? "stop" : "window's \(settings.truthAt)")
    switch settings.separation {
    case .inSample: text += ", IN SAMPLE"
    case .crossValidated:
      text += ", cross-validated (leave out \(settings.crossValidation ?? "traces"))"
    case .otherRecordings, .unknown: break
    }
    return text + "\n\n"
  }

  /// What intervals of blocks take for granted.
  private var assumption: TextReport? {
    guard case .blocks(let length) = document.settings.resampled else { return nil }
    return TextReport(
      "intervals and tests draw blocks of \(written(duration: length)) of each trace: they hold "
        + "where errors further apart than that are independent\n")
  }

  private var verdict: TextReport? {
    let verdict = board.verdict
    var text = ""
    if let winner = verdict.winner {
      text = "best: \(winner)\n"
    } else if let reason = verdict.reason {
      let why = reason.description(of: document.settings.resampled)
      text =
        reason == .notToldApart
        ? "best may be any of \(verdict.best.joined(separator: ", ")): \(why)\n"
        : "no best: \(why)\n"
      text += document.neededText.map { "\($0)\n" } ?? ""
    }
    if !verdict.rarelyAnswering.isEmpty {
      text +=
        "not in the running, answering too rarely: "
        + "\(verdict.rarelyAnswering.joined(separator: ", "))\n"
    }
    if !verdict.withHindsight.isEmpty {
      text +=
        "not in the running, with hindsight: \(verdict.withHindsight.joined(separator: ", "))\n"
    }
    if let strongest = document.strongestBaseline, strongest.beatenBy.isEmpty,
      board.scores.count > 1
    {
      text += "nothing is better than \(strongest.baseline) beyond doubt\n"
    }
    return text.isEmpty ? nil : TextReport(text)
  }

  /// What became better or worse since an earlier evaluation.
  private var changes: TextReport? {
    guard let changes = document.changes else { return nil }
    let rows = changes.changes.map { change in
      [
        "  " + change.name, "\(decimal(change.before, 2)) → \(decimal(change.after, 2))",
        decimal(change.effect, 2),
        shown(change.interval.interval), change.p.map { "p = \(decimal($0, 3))" } ?? "–",
        change.verdict(at: board.verdict.level),
      ]
    }
    return section(
      "against \(changes.earlier.printable): change of the \(document.units)' \(changes.figure.rawValue) in "
        + "m, 95 % interval, p by Holm",
      rows)
  }

  /// How much worse the others are than the first, in the figures of traces.
  private var comparisons: TextReport? {
    let rows = board.comparisons.compactMap { comparison -> [String]? in
      guard let effect = comparison.effect else { return nil }
      let verdict =
        comparison.isSignificant(at: board.verdict.level)
        ? (effect < 0 ? "worse" : "better") : "not told apart"
      return [
        "  " + comparison.second, decimal(-effect, 2),
        shown(comparison.intervalOfSecond),
        comparison.adjusted.map { "p = \(decimal($0, 3))" } ?? "–", verdict,
      ]
    }
    guard let first = board.comparisons.first?.first else { return nil }
    return section(
      "against \(first): difference of the "
        + "\(document.units)' \(board.figure.rawValue) "
        + "in m, 95 % interval, p by Holm",
      rows)
  }

  /// The errors at the questions that all answered, where some did not answer all.
  private var matched: TextReport? {
    guard let matched = board.matched,
      matched.epochs < board.scores.map(\.statistics.answered).max() ?? 0
    else { return nil }
    let rows = matched.rows.map { row in
      [
        "  " + row.name, decimal(row.errors.median, 2), decimal(row.errors.p75, 2),
        decimal(row.errors.p95, 2),
      ]
    }
    var report = section(
      "on the \(matched.epochs) epochs that all of these answered: median, p75, p95", rows)
    if !matched.leftOut.isEmpty {
      report?.add("  without \(matched.leftOut.joined(separator: ", "))\n")
    }
    return report
  }

  /// A Boolean value that is true if claimed ellipses hold the truth, and how near errors come to
  /// the bound.
  private var claims: TextReport? {
    let rows = board.scores.compactMap { score -> [String]? in
      guard let claims = score.claims else { return nil }
      let coverage = claims.coverages.first { $0.claimed == 0.95 }
      return [
        "  " + score.name, percent(coverage?.share),
        decimal(claims.meanNEES, 1),
        score.efficiency.map { decimal($0.meanSquare, 2) } ?? "–",
      ]
    }
    return section(
      "95 % ellipses that hold the truth; mean NEES (2 is right); bound over mean square error",
      rows)
  }

  /// How much successive errors resemble each other, where they do.
  private var dependence: TextReport? {
    let rows = board.scores.compactMap { score -> [String]? in
      guard let dependence = score.dependence else { return nil }
      return [
        "  " + score.name, decimal(dependence.lagOne, 2), decimal(dependence.effectiveAnswers, 0),
      ]
    }
    return section(
      "correlation of successive errors; as many independent answers as all of them count for", rows
    )
  }

  /// By how much the answers are behind the truth, where that was asked.
  private var lags: TextReport? {
    let rows = board.scores.compactMap { score -> [String]? in
      guard let lag = score.latency?.lag else { return nil }
      return [
        "  " + score.name, decimal(lag.offset, 2), shown(lag.interval.interval),
        decimal(lag.rmsBefore, 2),
        decimal(lag.rmsAfter, 2) + (lag.isAtTheEnd ? " at the end of what was tried" : ""),
      ]
    }
    return section(
      "seconds to add to the times of the truth so that it fits the answers best, 95 % interval; "
        + "RMS before, after",
      rows)
  }

  private var silences: TextReport? {
    let lines = board.scores.compactMap { score -> String? in
      guard !score.refusals.isEmpty else { return nil }
      let reasons = score.refusals.sorted { $0.key.description < $1.key.description }
        .map { "\($0.value) × \($0.key)" }
      return "  \(score.name): \(reasons.joined(separator: ", "))\n"
    }
    guard !lines.isEmpty else { return nil }
    var report = TextReport()
    report.add(heading: "no answer")
    report.add(lines.joined())
    return report
  }

  /// Rows of an algorithm and its figures, below a line that names them; nil without rows.
  private func section(_ heading: String, _ rows: [[String]]) -> TextReport? {
    guard let first = rows.first else { return nil }
    var report = TextReport()
    report.add(heading: heading)
    report.add(
      table: ReportTable(
        of: rows,
        first.indices.map { place in
          .text("", least: place == 0 ? 16 : nil) { .text($0[place]) }
        }))
    return report
  }

  private func shown(_ interval: Interval?) -> String { ReportTable.Cell.interval(interval).text }
}
