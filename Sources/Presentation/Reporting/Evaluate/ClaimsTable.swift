import Evaluation
import NumericalMethods
import Positioning
import Support

extension EvaluationDocument {
  /// Claimed ellipses against what happened; nil where no algorithm claims any.
  var claimsTable: ReportTable? {
    typealias Row = (one: RankedAnswers, claims: ClaimedUncertainty)
    let rows: [Row] = ranked.compactMap { one in one.score.claims.map { (one, $0) } }
    guard let levels = rows.first?.claims.coverages.map(\.claimed) else { return nil }
    let axis = WhiskerAxis(upper: 1)
    let coverages = levels.enumerated().flatMap { place, level -> [ReportTable.Column<Row>] in
      [
        .text(
          "\(decimal(level * 100, 0)) %",
          "0 to 100 %; the thin line is the claim, the bar the 95 % interval over \(units)"
        ) { row in
          let coverage = row.claims.coverages[place]
          return .picture(
            axis.whisker(
              coverage.share, coverage.byTrace.interval ?? coverage.exact, place: row.one.place,
              reference: coverage.claimed), order: coverage.share)
        },
        .number("held, of \(decimal(level * 100, 0)) %") {
          .share($0.claims.coverages[place].share)
        },
      ]
    }
    return ReportTable(
      "How often the ellipse that claims to hold the truth does", of: rows,
      [
        .text("algorithm") { .algorithm($0.one.name, $0.one.place) },
        .text(
          "ellipses",
          "The widest ones, by their interval over \(units): plausible where it holds the claim"
        ) { .text($0.claims.coverages.last.map(Self.judgement) ?? "–") },
      ] + coverages + [
        .number("NEES, mean", "Mean of eᵀC⁻¹e: 2 in the plane where the covariances are right") {
          .number($0.claims.meanNEES)
        },
        .number("median", "Of the same: 1.39 in the plane where they are right") {
          .number($0.claims.medianNEES)
        },
        .number("answers", "With a covariance") { .count($0.claims.count) },
      ])
  }

  /// The widest ellipses in words, by their interval over traces.
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
    return ReportTable(
      "Errors against the Cramér–Rao bound of each question's levels", of: rows,
      [
        .text("algorithm") { .algorithm($0.0.name, $0.0.place) },
        .number("RMS error", "Over answered questions with a bound, in metres") {
          .number($0.1.rms)
        },
        .number(
          "bound", "No unbiased answer from these levels alone has a smaller RMS error, in metres"
        ) { .number($0.1.boundRMS) },
        .number("efficiency", "The bound's variance over the mean square error") {
          .number($0.1.meanSquare)
        },
        .text("95 % interval") { .interval($0.1.interval.interval) },
        .number("by median", "The efficiency by medians, which a few wild answers do not move") {
          .number($0.1.median)
        },
        .number("questions") { .count($0.1.count) },
      ])
  }
}
