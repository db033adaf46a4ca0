import Evaluation
import NumericalMethods
import Positioning
import Support

extension EvaluationDocument {
  /// The coverage of claimed ellipses; nil if no algorithm claims any.
  var claimsTable: ReportTable? {
    typealias Row = (one: RankedAnswers, claims: ClaimedUncertainty)
    let rows: [Row] = ranked.compactMap { one in one.score.claims.map { (one, $0) } }
    guard let levels = rows.first?.claims.coverages.map(\.claimed) else { return nil }
    let axis = WhiskerAxis(upper: 1)
    let coverages: [ReportTable.Column<Row>] = levels.enumerated().map { place, level in
      .number("\(decimal(level * 100, 0)) %", "Share of ellipses that contain the truth") {
        .share($0.claims.coverages[place].share)
      }
    }
    let widest: ReportTable.Column<Row> = .text(
      "0 to 100 %", "Thin line: the claim. Bar: 95 % interval over \(units)"
    ) { row in
      guard let coverage = row.claims.coverages.last else { return .text("–") }
      return .picture(
        axis.whisker(
          coverage.share, coverage.byTrace.interval ?? coverage.exact, place: row.one.place,
          reference: coverage.claimed), order: coverage.share)
    }
    return ReportTable(
      "Coverage of claimed ellipses: share that contains the truth", of: rows,
      [
        .text("algorithm") { .algorithm($0.one.name, $0.one.place) },
        .text(
          "95 % ellipses", "Plausible if the interval over \(units) contains 95 %"
        ) { .text($0.claims.coverages.last.map(Self.judgement) ?? "–") },
        .text("95 % interval", "Of the coverage of 95 % ellipses, over \(units)") {
          .shares($0.claims.coverages.last?.byTrace.interval)
        },
      ] + [widest] + coverages + [
        .number("mean NEES", "Mean of eᵀC⁻¹e. Ideal in the plane: 2") {
          .number($0.claims.meanNEES)
        },
        .number("median NEES", "Ideal in the plane: 1.39") {
          .number($0.claims.medianNEES)
        },
        .number(
          "log score", "Mean of -ln of the claimed density at the truth, in metres. Less is better"
        ) { .number($0.one.score.proper?.log) },
        .text("95 % interval", "Of the log score, over \(units)") {
          .interval($0.one.score.proper?.logInterval.interval)
        },
        .number(
          "energy score, m", "Error of the claimed distribution as a whole. Less is better"
        ) { .number($0.one.score.proper?.energy) },
        .text("95 % interval", "Of the energy score, over \(units)") {
          .interval($0.one.score.proper?.energyInterval.interval)
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

  /// Answers without a covariance, by reason; nil if there are none.
  var withoutCovarianceTable: ReportTable? {
    countTable(
      "Answers without a covariance, by reason",
      counts: ranked.map { one in
        (one, one.score.withoutCovariance.map { ($0.key.description, $0.value) })
      })
  }

  /// The efficiency against the Cramér–Rao bound; nil if no epoch has one.
  var efficiencyTable: ReportTable? {
    let rows = ranked.compactMap { one in one.score.efficiency.map { (one, $0) } }
    guard !rows.isEmpty else { return nil }
    return ReportTable(
      "RMS error and the Cramér–Rao lower bound (CRLB) of each epoch's levels", of: rows,
      [
        .text("algorithm") { .algorithm($0.0.name, $0.0.place) },
        .number("RMS error", "Over answered epochs with a bound, in metres") {
          .number($0.1.rms)
        },
        .number(
          "bound", "Smallest RMS error of an unbiased estimate from these levels, in metres"
        ) { .number($0.1.boundRMS) },
        .number("efficiency (CRLB / MSE)") {
          .number($0.1.meanSquare)
        },
        .text("95 % interval") { .interval($0.1.interval.interval) },
        .number("by median", "Efficiency of medians, robust against outliers") {
          .number($0.1.median)
        },
        .number("epochs") { .count($0.1.count) },
      ])
  }
}
