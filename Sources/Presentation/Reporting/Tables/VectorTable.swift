import Evaluation
import Geometry

extension EvaluationDocument {
  /// Where errors point, how old answers are, and how often they come.
  var vectorTable: ReportTable {
    let hasTrack = leaderboard.scores.contains { $0.track != nil }
    let hasHeight = leaderboard.scores.contains { $0.vertical != nil }
    let hasZones = leaderboard.scores.contains { $0.zones != nil }
    var table = ReportTable(
      caption: "Bias and scatter in metres, age in seconds",
      columns: [
        ReportTable.textColumn("algorithm"),
        ReportTable.column("bias x", "Mean of estimate minus truth"),
        ReportTable.column("bias y"),
        ReportTable.column(
          "scatter, long axis", "Standard deviation along the longer axis of the errors' covariance"
        ),
        ReportTable.column("short axis"),
      ])
    if hasTrack {
      table.columns += [
        ReportTable.column("along, mean", "Along the motion: negative where answers lag behind"),
        ReportTable.column("along, RMS"), ReportTable.column("across, RMS"),
      ]
    }
    if hasHeight {
      table.columns += [
        ReportTable.column("height, bias"), ReportTable.column("height, median"),
        ReportTable.column("height, p95"), ReportTable.column("in space, median"),
      ]
    }
    if hasZones { table.columns.append(ReportTable.column("right zone")) }
    table.columns += [
      ReportTable.column("age", "Median age of the newest sighting when the answer is asked"),
      ReportTable.column("answers a second"),
      ReportTable.column("correlation", "Of the errors of successive epochs"),
      ReportTable.column("counts as", "So many independent answers"),
    ]
    table.rows = leaderboard.scores.enumerated().map { place, score in
      var row: [ReportTable.Cell] = [
        .algorithm(score.name, place), .number(score.vector?.biasX), .number(score.vector?.biasY),
        .number(score.vector?.ellipse?.semiMajor), .number(score.vector?.ellipse?.semiMinor),
      ]
      if hasTrack {
        row += [score.track?.alongMean, score.track?.alongRMS, score.track?.acrossRMS].map {
          .number($0)
        }
      }
      if hasHeight {
        row += [
          score.vertical?.bias, score.vertical?.size.median, score.vertical?.size.p95,
          score.spherical?.median,
        ].map { .number($0) }
      }
      if hasZones { row.append(.share(score.zones?.rate)) }
      return row + [
        .number(score.latency?.medianAge), .number(score.updateRate),
        .number(score.dependence?.lagOne), .number(score.dependence?.effectiveAnswers),
      ]
    }
    return table
  }
}
