import Evaluation
import NumericalMethods
import Support

extension EvaluationDocument {
  /// The algorithms, best first, with the intervals of the ranking figure.
  var leaderboardTable: ReportTable {
    let figure = leaderboard.figure.rawValue
    let axis = WhiskerAxis(
      leaderboard.scores.compactMap { score in
        score.statistics.errors.map {
          (leaderboard.figure.of($0), score.intervals.of(leaderboard.figure).interval)
        }
      })
    var table = ReportTable(
      caption:
        "Horizontal error in metres over \(grouped(questionCount)) questions, in the order of the "
        + "\(figure)",
      columns: [
        ReportTable.textColumn("algorithm"),
        ReportTable.textColumn(
          "0 to \(axis.label) m",
          "The \(figure) error and its 95 % interval over \(units), on one scale"),
        ReportTable.column(figure),
        ReportTable.textColumn("95 % interval", "Of the \(figure), over \(units)"),
        ReportTable.column("mean"), ReportTable.column("RMS"),
      ] + (figure == "median" ? [] : [ReportTable.column("median")])
        + ["p67", "p75", "p90", "p95", "max"].filter { $0 != figure }.map { ReportTable.column($0) }
        + [ReportTable.column("answered", "The share of the questions that got a position")])
    table.rows = leaderboard.scores.enumerated().map { place, score in
      let errors = score.statistics.errors
      let value = errors.map(leaderboard.figure.of)
      let interval = score.intervals.of(leaderboard.figure)
      var row: [ReportTable.Cell] = [
        .algorithm(score.name, place, remark: standing(of: score)),
        .picture(axis.whisker(value, interval.interval, place: place), order: value ?? .infinity),
        .number(value), .interval(interval), .number(errors?.mean), .number(errors?.rms),
      ]
      if figure != "median" { row.append(.number(errors?.median)) }
      for (name, value) in [
        ("p67", errors?.p67), ("p75", errors?.p75), ("p90", errors?.p90), ("p95", errors?.p95),
        ("max", errors?.max),
      ] where name != figure { row.append(.number(value)) }
      return row + [.share(score.statistics.availability)]
    }
    return table
  }
}

extension ReportTable.Cell {
  static func interval(_ outcome: IntervalOutcome) -> ReportTable.Cell {
    guard let interval = outcome.interval else {
      return ReportTable.Cell(text: "–", order: .infinity)
    }
    return ReportTable.Cell(
      text: "\(decimal(interval.lower, 2)) – \(decimal(interval.upper, 2))", order: interval.upper
    )
  }

  static func probability(_ p: Double?) -> ReportTable.Cell {
    guard let p else { return ReportTable.Cell(text: "–", order: .infinity) }
    return ReportTable.Cell(text: p < 0.0001 ? "< 0.0001" : decimal(p, 4), order: p)
  }
}
