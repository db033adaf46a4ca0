package import Evaluation
import NumericalMethods
import Support

/// The leaderboard of an evaluation as CSV: one line per algorithm, best first.
///
/// Lengths in metres, ages in seconds, shares between 0 and 1; empty fields for unknown values.
package struct SummaryCSV {
  private let document: EvaluationDocument

  package init(_ document: EvaluationDocument) { self.document = document }

  package var text: String {
    let best = Set(document.leaderboard.verdict.best)
    let scoring = document.settings.separation.name
    let columns: [ReportTable.Column<Score>] = [
      .text("", key: "algorithm") { .name($0.name) },
      .text("", key: "causal") { .text(String($0.isCausal)) },
      .text("", key: "may_be_best") { .text(String(best.contains($0.name))) },
      .text("", key: "scoring") { _ in .text(scoring) },
      .number("", key: "asked") { .count($0.statistics.asked) },
      .number("", key: "answered") { .count($0.statistics.answered) },
    ]
    return ReportTable(of: document.leaderboard.scores, columns + Self.figures).csv
  }

  private static func figure(_ key: String, _ value: @escaping (Score) -> Double?)
    -> ReportTable.Column<Score>
  {
    .number("", key: key) { .number(value($0), 4) }
  }

  private static var figures: [ReportTable.Column<Score>] {
    var figures = [
      figure("availability") { $0.statistics.availability },
      figure("mean_m") { $0.statistics.errors?.mean },
      figure("rms_m") { $0.statistics.errors?.rms },
      figure("median_m") { $0.statistics.errors?.median },
      figure("p67_m") { $0.statistics.errors?.p67 },
      figure("p75_m") { $0.statistics.errors?.p75 },
      figure("p90_m") { $0.statistics.errors?.p90 },
      figure("p95_m") { $0.statistics.errors?.p95 },
      figure("max_m") { $0.statistics.errors?.max },
    ]
    for one in ErrorFigure.allCases {
      figures.append(figure("\(one.rawValue)_lower_m") { $0.intervals.of(one).interval?.lower })
      figures.append(figure("\(one.rawValue)_upper_m") { $0.intervals.of(one).interval?.upper })
    }
    figures += [
      figure("bias_x_m") { $0.vector?.biasX },
      figure("bias_y_m") { $0.vector?.biasY },
      figure("vertical_median_m") { $0.vertical?.size.median },
      figure("vertical_p95_m") { $0.vertical?.size.p95 },
      figure("spherical_median_m") { $0.spherical?.median },
      figure("spherical_p95_m") { $0.spherical?.p95 },
      figure("zone_rate") { $0.zones?.rate },
      figure("zone_rate_lower") { $0.zones?.interval.interval?.lower },
      figure("zone_rate_upper") { $0.zones?.interval.interval?.upper },
      figure("floor_right") { $0.floors?.all.rate },
      figure("floor_right_lower") { $0.floors?.all.interval.interval?.lower },
      figure("floor_right_upper") { $0.floors?.all.interval.interval?.upper },
      figure("penalised_median_m") { $0.floors?.all.penalised?.median },
      figure("penalised_p75_m") { $0.floors?.all.penalised?.p75 },
      figure("age_median_s") { $0.latency?.medianAge },
      figure("answers_per_s") { $0.updateRate },
    ]
    for claimed in [50, 90, 95] {
      func coverage(_ score: Score) -> EllipseCoverage? {
        score.claims?.coverages.first { ($0.claimed * 100).rounded() == Double(claimed) }
      }
      figures += [
        figure("held_\(claimed)") { coverage($0)?.share },
        figure("held_\(claimed)_lower") { coverage($0)?.byTrace.interval?.lower },
        figure("held_\(claimed)_upper") { coverage($0)?.byTrace.interval?.upper },
      ]
    }
    figures += [
      figure("mean_nees") { $0.claims?.meanNEES },
      figure("log_score") { $0.proper?.log },
      figure("log_score_lower") { $0.proper?.logInterval.interval?.lower },
      figure("log_score_upper") { $0.proper?.logInterval.interval?.upper },
      figure("energy_score_m") { $0.proper?.energy },
      figure("energy_score_lower_m") { $0.proper?.energyInterval.interval?.lower },
      figure("energy_score_upper_m") { $0.proper?.energyInterval.interval?.upper },
      figure("efficiency") { $0.efficiency?.meanSquare },
      figure("evaal_2013") { EvAAL($0).score2013 },
    ]
    return figures
  }
}

extension EvaluationSettings.Separation {
  /// The name in files.
  var name: String {
    switch self {
    case .otherRecordings: "other-recordings"
    case .crossValidated: "cross-validated"
    case .inSample: "in-sample"
    case .unknown: "unknown"
    }
  }
}
