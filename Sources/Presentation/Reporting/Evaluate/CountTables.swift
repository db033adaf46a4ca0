import Evaluation
import NumericalMethods
import Positioning
import Support

extension EvaluationDocument {
  /// The epochs without an answer, by reason; nil if all were answered.
  var refusalTable: ReportTable? {
    countTable(
      "Epochs without an answer, by reason",
      counts: ranked.map { one in (one, one.score.refusals.map { ($0.key.description, $0.value) }) }
    )
  }

  /// Returns one row per algorithm with counts, and one column per reason.
  func countTable(
    _ caption: String, counts: [(RankedAnswers, [(reason: String, count: Int)])]
  ) -> ReportTable? {
    let reasons = Set(counts.flatMap { $0.1.map(\.reason) }).sorted()
    guard !reasons.isEmpty else { return nil }
    typealias Row = (one: RankedAnswers, counts: [String: Int])
    let rows: [Row] = counts.filter { $0.1.contains { $0.count > 0 } }.map { one, found in
      (one, Dictionary(uniqueKeysWithValues: found.map { ($0.reason, $0.count) }))
    }
    let others = counts.count - rows.count
    return ReportTable(
      caption + (others > 0 ? "; none of the other \(others) algorithms" : ""), of: rows,
      [.text("algorithm") { .algorithm($0.one.name, $0.one.place) }]
        + reasons.map { reason in .number(reason) { .count($0.counts[reason] ?? 0) } }
        + [.number("in all") { .count($0.counts.values.reduce(0, +)) }])
  }

  /// The answers from which the combination omitted a member, by member and reason; nil if none.
  var leftOutTable: ReportTable? {
    typealias Row = (one: RankedAnswers, member: String, reason: String, count: Int)
    var rows: [Row] = []
    for one in ranked {
      var counts: [String: [String: Int]] = [:]
      for case .located(let estimate) in one.answers.outcomes.joined() {
        for (member, omission) in estimate.leftOut {
          counts[member, default: [:]]["\(omission)", default: 0] += 1
        }
      }
      for (member, reasons) in counts.sorted(by: { $0.key < $1.key }) {
        rows += reasons.sorted { $0.key < $1.key }.map { (one, member, $0.key, $0.value) }
      }
    }
    guard !rows.isEmpty else { return nil }
    return ReportTable(
      "Answers of combinations in which a member had no part", of: rows,
      [
        .text("combination") { .algorithm($0.one.name, $0.one.place) },
        .text("member") { .name($0.member) }, .text("reason") { .text($0.reason) },
        .number("answers") { .count($0.count) },
      ])
  }

  /// The ranking figure of each algorithm in each trace; nil for a single trace. A line is an
  /// algorithm or a trace, of whichever there are more.
  var traceTable: ReportTable? {
    guard traces.count > 1 else { return nil }
    let (figure, unit) = (leaderboard.figure, settings.resampled.name)
    let caption = "The \(figure.rawValue) error in metres, \(unit) by \(unit)"
    func value(_ score: Score, _ trace: Int) -> ReportTable.Cell {
      .number(
        score.traces.indices.contains(trace)
          ? score.traces[trace].statistics.errors.map(figure.of) : nil)
    }
    guard traces.count > leaderboard.scores.count else {
      var table = ReportTable(
        caption, of: ranked,
        [.text("algorithm") { .algorithm($0.name, $0.place) }]
          + traces.enumerated().map { index, trace in
            .number(trace.name) { value($0.score, index) }
          })
      table.add(row: [.text("epochs")] + traces.map { .count($0.questions.count) })
      return table
    }
    return ReportTable(
      caption, of: traces.indices,
      [
        .text(unit) { .name(traces[$0].name) },
        .number("epochs") { .count(traces[$0].questions.count) },
      ] + leaderboard.scores.map { score in .number(score.name) { value(score, $0) } })
  }

  /// The zones of each algorithm's answers, one table per algorithm; empty without zones.
  var zoneTables: [ReportTable] {
    ranked.compactMap { one in
      guard let zones = one.score.zones else { return nil }
      let names = zones.zones + ["outside"]
      return ReportTable(
        "\(one.name): truth in the row, estimate in the column; \(percent(zones.rate)) right"
          + (zones.interval.interval.map {
            " (95 % interval over \(units) \(percent($0.lower)) to \(percent($0.upper)))"
          } ?? ""),
        of: names.indices, isSortable: false,
        [.text("true zone") { $0 < zones.zones.count ? .name(names[$0]) : .text(names[$0]) }]
          + names.indices.map { zone in
            .number(names[zone]) { .count(zones.counts[$0][zone]) }
          }
          + [.number("no answer") { .count(zones.unanswered[$0]) }])
    }
  }
}
