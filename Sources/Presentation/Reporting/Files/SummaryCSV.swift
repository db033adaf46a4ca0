package import Evaluation
import NumericalMethods
import Support

/// The leaderboard of an evaluation as CSV: one line an algorithm, best first.
///
/// Lengths in metres, ages in seconds, shares between 0 and 1; fields empty where there is nothing
/// to state.
package struct SummaryCSV {
  private let document: EvaluationDocument

  package init(_ document: EvaluationDocument) { self.document = document }

  package var text: String {
    let columns = Self.columns
    let best = Set(document.leaderboard.verdict.best)
    let scoring = document.settings.separation.name
    var text =
      (["algorithm", "causal", "may_be_best", "scoring"] + columns.map(\.name)).joined(
        separator: ",") + "\n"
    for score in document.leaderboard.scores {
      let start = [
        CSV.text(score.name), String(score.isCausal), String(best.contains(score.name)), scoring,
      ]
      text += (start + columns.map { $0.field(score) }).joined(separator: ",") + "\n"
    }
    return text
  }

  private struct Column {
    let name: String
    let field: (Score) -> String

    init(_ name: String, _ places: Int = 4, _ value: @escaping (Score) -> Double?) {
      self.name = name
      field = { CSV.number(value($0), places) }
    }
  }

  private static var columns: [Column] {
    var columns = [
      Column("asked", 0) { Double($0.statistics.asked) },
      Column("answered", 0) { Double($0.statistics.answered) },
      Column("availability") { $0.statistics.availability },
      Column("mean_m") { $0.statistics.errors?.mean },
      Column("rms_m") { $0.statistics.errors?.rms },
      Column("median_m") { $0.statistics.errors?.median },
      Column("p67_m") { $0.statistics.errors?.p67 },
      Column("p75_m") { $0.statistics.errors?.p75 },
      Column("p90_m") { $0.statistics.errors?.p90 },
      Column("p95_m") { $0.statistics.errors?.p95 },
      Column("max_m") { $0.statistics.errors?.max },
    ]
    for figure in ErrorFigure.allCases {
      columns += [
        Column("\(figure.rawValue)_lower_m") { $0.intervals.of(figure).interval?.lower },
        Column("\(figure.rawValue)_upper_m") { $0.intervals.of(figure).interval?.upper },
      ]
    }
    columns += [
      Column("bias_x_m") { $0.vector?.biasX },
      Column("bias_y_m") { $0.vector?.biasY },
      Column("vertical_median_m") { $0.vertical?.size.median },
      Column("vertical_p95_m") { $0.vertical?.size.p95 },
      Column("spherical_median_m") { $0.spherical?.median },
      Column("spherical_p95_m") { $0.spherical?.p95 },
      Column("zone_rate") { $0.zones?.rate },
      Column("age_median_s") { $0.latency?.medianAge },
      Column("answers_per_s") { $0.updateRate },
    ]
    for claimed in [50, 90, 95] {
      columns.append(
        Column("held_\(claimed)") { score in
          score.claims?.coverages.first { ($0.claimed * 100).rounded() == Double(claimed) }?.share
        })
    }
    return columns + [
      Column("mean_nees") { $0.claims?.meanNEES },
      Column("efficiency") { $0.efficiency?.meanSquare },
      Column("evaal_2013") { EvAAL($0).score2013 },
    ]
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
