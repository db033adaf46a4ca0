import Evaluation
import NumericalMethods
import Positioning
import Support

extension EvaluationDocument {
  /// Claimed ellipses against what happened; nil where no algorithm claims any.
  var claimsTable: ReportTable? {
    let claiming = ranked.compactMap { one in one.score.claims.map { (one, $0) } }
    guard let levels = claiming.first?.1.coverages.map(\.claimed) else { return nil }
    var table = ReportTable(
      caption: "How often the ellipse that claims to hold the truth does",
      columns: [
        ReportTable.textColumn("algorithm"),
        ReportTable.textColumn(
          "ellipses",
          "The widest ones, by their interval over \(units): plausible where it holds the claim"),
      ]
        + levels.flatMap { level in
          [
            ReportTable.textColumn(
              "\(decimal(level * 100, 0)) %",
              "0 to 100 %; the thin line is the claim, the bar the 95 % interval over \(units)"),
            ReportTable.column("held, of \(decimal(level * 100, 0)) %"),
          ]
        }
        + [
          ReportTable.column(
            "NEES, mean", "Mean of eᵀC⁻¹e: 2 in the plane where the covariances are right"),
          ReportTable.column("median", "Of the same: 1.39 in the plane where they are right"),
          ReportTable.column("answers", "With a covariance"),
        ])
    table.rows = claiming.map { one, claims in
      [.algorithm(one.name, one.place), .text(claims.coverages.last.map(Self.judgement) ?? "–")]
        + claims.coverages.flatMap { coverage -> [ReportTable.Cell] in
          let axis = WhiskerAxis(upper: 1)
          let range = coverage.byTrace.interval ?? coverage.exact
          return [
            .picture(
              axis.whisker(coverage.share, range, place: one.place, reference: coverage.claimed),
              order: coverage.share),
            .share(coverage.share),
          ]
        }
        + [
          .number(claims.meanNEES), .number(claims.medianNEES), .count(claims.count),
        ]
    }
    return table
  }

  /// What the widest ellipses are like, by their interval over traces.
  private static func judgement(_ coverage: EllipseCoverage) -> String {
    let range = coverage.byTrace.interval ?? coverage.exact
    return range.upper < coverage.claimed
      ? "too small" : range.lower > coverage.claimed ? "too large" : "plausible"
  }

  /// Answers without a covariance, by reason; nil where there are none.
  var withoutCovarianceTable: ReportTable? {
    countTable(
      "Answers without a covariance, by reason",
      counts: ranked.map { one in
        (one, one.score.withoutCovariance.map { ($0.key.description, $0.value) })
      })
  }

  /// Errors against the Cramér–Rao bound; nil where no question has one.
  var efficiencyTable: ReportTable? {
    let rows = ranked.compactMap { one in one.score.efficiency.map { (one, $0) } }
    guard !rows.isEmpty else { return nil }
    var table = ReportTable(
      caption: "Errors against the Cramér–Rao bound of each question's levels",
      columns: [
        ReportTable.textColumn("algorithm"),
        ReportTable.column("RMS error", "Over answered questions with a bound, in metres"),
        ReportTable.column(
          "bound", "No unbiased answer from these levels alone has a smaller RMS error, in metres"),
        ReportTable.column("efficiency", "The bound's variance over the mean square error"),
        ReportTable.textColumn("95 % interval"),
        ReportTable.column(
          "by median", "The efficiency by medians, which a few wild answers do not move"),
        ReportTable.column("questions"),
      ])
    table.rows = rows.map { one, efficiency in
      [
        .algorithm(one.name, one.place), .number(efficiency.rms), .number(efficiency.boundRMS),
        .number(efficiency.meanSquare), .interval(efficiency.interval), .number(efficiency.median),
        .count(efficiency.count),
      ]
    }
    return table
  }
}
