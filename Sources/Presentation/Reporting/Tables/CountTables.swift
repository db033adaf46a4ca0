import Evaluation
import Positioning
import Support

extension EvaluationDocument {
  /// Questions without an answer, by reason; nil where all were answered.
  var refusalTable: ReportTable? {
    countTable(
      "Questions without an answer, by reason",
      counts: ranked.map { one in (one, one.score.refusals.map { ($0.key.description, $0.value) }) }
    )
  }

  /// A line for each algorithm that has anything to count, a column for each reason that occurs.
  func countTable(
    _ caption: String, counts: [(RankedAnswers, [(reason: String, count: Int)])]
  ) -> ReportTable? {
    let reasons = Set(counts.flatMap { $0.1.map(\.reason) }).sorted()
    guard !reasons.isEmpty else { return nil }
    let counted = counts.filter { $0.1.contains { $0.count > 0 } }
    let others = counts.count - counted.count
    var table = ReportTable(
      caption: caption + (others > 0 ? "; none of the other \(others) algorithms" : ""),
      columns: [ReportTable.textColumn("algorithm")] + reasons.map { ReportTable.column($0) }
        + [ReportTable.column("in all")])
    table.rows = counted.map { one, found in
      let byReason = Dictionary(uniqueKeysWithValues: found.map { ($0.reason, $0.count) })
      return [.algorithm(one.name, one.place)] + reasons.map { .count(byReason[$0] ?? 0) }
        + [.count(byReason.values.reduce(0, +))]
    }
    return table
  }

  /// The ranking figure of each algorithm in each trace; nil for a single trace. A line is an
  /// algorithm or a trace, of whichever there are more.
  var traceTable: ReportTable? {
    guard traces.count > 1 else { return nil }
    let (figure, unit) = (leaderboard.figure, settings.resampled.name)
    func value(_ score: Score, _ trace: Int) -> ReportTable.Cell {
      .number(
        score.traces.indices.contains(trace)
          ? score.traces[trace].statistics.errors.map(figure.of) : nil)
    }
    guard traces.count > leaderboard.scores.count else {
      var table = ReportTable(
        caption: "The \(figure.rawValue) error in metres, \(unit) by \(unit)",
        columns: [ReportTable.textColumn("algorithm")] + traces.map { ReportTable.column($0.name) })
      table.rows = ranked.map { one in
        [.algorithm(one.name, one.place)] + traces.indices.map { value(one.score, $0) }
      }
      table.rows.append(
        [.text("questions")] + traces.map { .count($0.questions.count) })
      return table
    }
    var table = ReportTable(
      caption: "The \(figure.rawValue) error in metres, \(unit) by \(unit)",
      columns: [ReportTable.textColumn(unit), ReportTable.column("questions")]
        + leaderboard.scores.map { ReportTable.column($0.name) })
    table.rows = traces.indices.map { index in
      [.name(traces[index].name), .count(traces[index].questions.count)]
        + leaderboard.scores.map { value($0, index) }
    }
    return table
  }

  /// Where each algorithm's answers are by zone, one table an algorithm; empty without zones.
  var zoneTables: [ReportTable] {
    ranked.compactMap { one in
      guard let zones = one.score.zones else { return nil }
      let names = zones.zones + ["outside"]
      var table = ReportTable(
        caption:
          "\(one.name): truth in the row, estimate in the column; \(percent(zones.rate)) right",
        columns: [ReportTable.textColumn("true zone")] + names.map { ReportTable.column($0) }
          + [ReportTable.column("no answer")],
        isSortable: false)
      table.rows = names.indices.map { row in
        [row < zones.zones.count ? .name(names[row]) : .text(names[row])]
          + zones.counts[row].map { .count($0) } + [.count(zones.unanswered[row])]
      }
      return table
    }
  }
}
