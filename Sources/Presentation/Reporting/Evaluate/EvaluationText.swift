package import Evaluation
import NumericalMethods
import Positioning
import Support

/// An evaluation as text for a terminal: the leaderboard, the verdict and the next step, or all.
package struct EvaluationText {
  private let document: EvaluationDocument
  private let more: String?
  private var board: Leaderboard { document.leaderboard }

  /// The maximum number of algorithms in the short form.
  private static let mostRows = 10

  /// - Parameter more: the option that asks for the rest; nil to include it.
  package init(_ document: EvaluationDocument, more: String? = nil) {
    (self.document, self.more) = (document.joiningEqualAlgorithms(), more)
  }

  package var report: TextReport {
    var report = TextReport()
    report.add(heading)
    var table = document.leaderboardTable
    let hidden = more == nil ? 0 : max(0, table.rows.count - Self.mostRows)
    table.keep(table.rows.count - hidden)
    report.add(table: table)
    if hidden > 0, let more { report.add("… \(hidden) more: \(more)\n") }
    let details =
      more == nil ? [assumption, comparisons, mixed, matched, claims, dependence, silences] : []
    for part in [changes, lags] + details {
      guard let part else { continue }
      report.add("\n")
      report.add(part)
    }
    report.add("\n")
    report.add(verdict)
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

  private var verdict: String {
    var lines = [document.verdictSentence] + document.equivalenceSentences
    if more == nil, let baseline = document.baselineSentence { lines.append(baseline) }
    if let excluded = document.excludedSentence { lines.append(excluded) }
    return lines.map { $0.text + "\n" }.joined()
      + (document.nextStep.map { "next: \($0.text)\n" } ?? "")
  }

  /// The assumption of intervals from blocks.
  private var assumption: TextReport? {
    guard case .blocks(let length) = document.settings.resampled else { return nil }
    return TextReport(
      "Intervals and tests resample blocks of \(written(duration: length)) of each trace. They "
        + "assume that errors further apart are independent.\n")
  }

  /// The changes since an earlier evaluation.
  private var changes: TextReport? {
    guard let changes = document.changes else { return nil }
    let rows = changes.changes.map { change in
      [
        "  " + change.name, "\(decimal(change.before, 2)) → \(decimal(change.after, 2))",
        change.effectInWords,
        shown(change.interval.interval), Self.shown(p: change.p),
        change.verdict(at: board.verdict.level),
      ] + (change.equivalence.map { [$0.inWords(at: board.verdict.level)] } ?? [])
    }
    return section(
      "since \(changes.earlier.printable): \(changes.figure.rawValue) error in m, typical change "
        + "per \(document.settings.resampled.name), 95 % interval, p (Holm)",
      rows)
  }

  /// The first algorithm in the running against the others.
  private var comparisons: TextReport? {
    let rows = board.comparisons.compactMap { comparison -> [String]? in
      guard let effect = comparison.effect else { return nil }
      let verdict =
        comparison.isSignificant(at: board.verdict.level)
        ? (effect < 0 ? "worse" : "better") : noDifference
      return [
        "  " + comparison.second, signed(-effect),
        shown(comparison.intervalOfSecond), Self.shown(p: comparison.adjusted), verdict,
      ] + (comparison.equivalence.map { [$0.inWords(at: board.verdict.level)] } ?? [])
    }
    guard let first = board.comparisons.first?.first else { return nil }
    return section(
      "compared with \(first): difference of the \(board.figure.rawValue) error in m, typical "
        + "\(document.settings.resampled.name), 95 % interval, p (Holm)",
      rows)
  }

  /// The first algorithm in the running against the others over devices and sites.
  private var mixed: TextReport? {
    let rows = board.mixed.map { comparison in
      [
        "  " + comparison.second, decimal(comparison.ratio, 2), shown(comparison.interval),
        decimal(comparison.degreesOfFreedom, 1), Self.shown(p: comparison.adjusted),
        comparison.verdict(at: board.verdict.level),
      ]
    }
    guard let first = board.mixed.first?.first else { return nil }
    return section(
      "over devices and sites: ratio to the \(board.figure.rawValue) error of \(first), 95 % "
        + "interval for others, degrees of freedom, p (Holm)", rows)
  }

  /// The errors at common epochs, if not all epochs are.
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
      "error in m at the \(matched.epochs) epochs that all of these answered: median, p75, p95",
      rows)
    if !matched.leftOut.isEmpty {
      report?.add("  without \(matched.leftOut.joined(separator: ", "))\n")
    }
    return report
  }

  /// The coverage of claimed ellipses, and the efficiency.
  private var claims: TextReport? {
    let rows = board.scores.compactMap { score -> [String]? in
      guard let claims = score.claims else { return nil }
      let coverage = claims.coverages.first { $0.claimed == 0.95 }
      return [
        "  " + score.name, percent(coverage?.share),
        ReportTable.Cell.shares(coverage?.byTrace.interval).text,
        decimal(claims.meanNEES, 1), decimal(score.proper?.log, 2),
        decimal(score.proper?.energy, 2),
        score.efficiency.map { decimal($0.meanSquare, 2) } ?? "–",
      ]
    }
    return section(
      "coverage of 95 % ellipses, 95 % interval; mean NEES (ideal: 2); log score, energy score in "
        + "m; efficiency (CRLB / MSE)", rows)
  }

  /// The autocorrelation of errors.
  private var dependence: TextReport? {
    let rows = board.scores.compactMap { score -> [String]? in
      guard let dependence = score.dependence else { return nil }
      return [
        "  " + score.name, decimal(dependence.lagOne, 2), decimal(dependence.effectiveAnswers, 0),
      ]
    }
    return section("errors of successive epochs: lag-1 correlation, effective sample size", rows)
  }

  /// The clock offsets of the truth, if they were estimated.
  private var lags: TextReport? {
    let rows = board.scores.compactMap { score -> [String]? in
      guard let lag = score.latency?.lag else { return nil }
      return [
        "  " + score.name, decimal(lag.offset, 2), shown(lag.interval.interval),
        decimal(lag.rmsBefore, 2),
        decimal(lag.rmsAfter, 2) + (lag.isAtTheEnd ? " (at the limit of the search)" : ""),
      ]
    }
    return section(
      "clock offset of the truth that fits best in s, 95 % interval; RMS error in m before, after",
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

  /// Returns rows of an algorithm and its figures below a heading; nil without rows.
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

  private static func shown(p: Double?) -> String {
    p.map { $0 < 0.001 ? "p < 0.001" : "p = \(decimal($0, 3))" } ?? "–"
  }
}
