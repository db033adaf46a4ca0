import Evaluation
import Support

extension EvaluationDocument {
  /// The errors at the questions that all algorithms answered; nil where there are too few.
  var matchedTable: ReportTable? {
    guard let matched = leaderboard.matched else { return nil }
    let places = places
    let figure = leaderboard.figure
    let axis = WhiskerAxis(
      matched.rows.map { (figure.of($0.errors), $0.intervals.of(figure).interval) })
    var table = ReportTable(
      caption:
        """
        Horizontal error in metres at the \(grouped(matched.epochs)) questions that all of these \
        answered, in \(settings.resampled.counted(matched.traces))
        """,
      columns: [
        ReportTable.textColumn("algorithm"), ReportTable.textColumn("0 to \(axis.label) m"),
        ReportTable.column(figure.rawValue), ReportTable.textColumn("95 % interval"),
        ReportTable.column("mean"), ReportTable.column("RMS"),
      ]
        + ["median", "p75", "p90", "p95", "max"].filter { $0 != figure.rawValue }.map {
          ReportTable.column($0)
        })
    table.rows = matched.rows.map { row in
      let place = places[row.name] ?? 0
      let value = figure.of(row.errors)
      let interval = row.intervals.of(figure)
      return [
        .algorithm(row.name, place),
        .picture(axis.whisker(value, interval.interval, place: place), order: value),
        .number(value), .interval(interval), .number(row.errors.mean), .number(row.errors.rms),
      ]
        + [
          ("median", row.errors.median), ("p75", row.errors.p75), ("p90", row.errors.p90),
          ("p95", row.errors.p95), ("max", row.errors.max),
        ].filter { $0.0 != figure.rawValue }.map { .number($0.1) }
    }
    return table
  }

  /// Which algorithms are not in the matched table, and why.
  var matchedRemark: Sentence? {
    guard let matched = leaderboard.matched else {
      return "No two algorithms answered the same question, so there is nothing to match."
    }
    guard !matched.leftOut.isEmpty else { return nil }
    return
      """
      Left out, because with \(matched.leftOut.count == 1 ? "it" : "them") too few common \
      questions would remain: \(names: matched.leftOut).
      """
  }
}
