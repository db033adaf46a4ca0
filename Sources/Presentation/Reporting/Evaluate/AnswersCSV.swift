package import Evaluation
import Geometry
import Positioning
import Sightings
import Support

/// Every answer of an evaluation as CSV: one line per question and algorithm.
///
/// Lengths in metres, times in Unix seconds exact to the nanosecond, empty fields for unknown
/// values; `left_out` names the members that have no part in a combination, with the
/// reason; `scoring` shows how it was kept apart from fitting. Quoting as in RFC 4180, lines end
/// with a line feed. See docs/report.md.
package struct AnswersCSV {
  private let document: EvaluationDocument

  package init(_ document: EvaluationDocument) { self.document = document }

  private static let asked: CSVColumns<(trace: String, number: Int, question: Question)> = [
    "trace": { $0.trace }, "epoch": { String($0.number + 1) },
    "instant_s": { Timestamp.decimalSeconds($0.question.instant) },
    "asked_s": { Timestamp.decimalSeconds($0.question.asked) },
    "truth_x_m": { CSV.number($0.question.truth.x, 4) },
    "truth_y_m": { CSV.number($0.question.truth.y, 4) },
    "truth_z_m": { CSV.number($0.question.truthHeight, 4) },
    "anchors": { String($0.question.anchors) }, "packets": { String($0.question.packets) },
    "bound_rms_m": { CSV.number($0.question.bound.map { ($0.xx + $0.yy).squareRoot() }, 4) },
  ]

  /// An answer, and its parts that several columns show.
  private struct Answer {
    let algorithm: String
    let outcome: Outcome
    let truth: Point
    let scoring: String
    let estimate: Estimate?
    let covariance: Covariance?

    init(_ algorithm: String, _ outcome: Outcome, truth: Point, scoring: String) {
      (self.algorithm, self.outcome, self.truth, self.scoring) = (
        algorithm, outcome, truth, scoring
      )
      estimate = outcome.estimate
      covariance = estimate?.uncertainty.covariance
    }

    var leftOut: String {
      guard let members = estimate?.leftOut, !members.isEmpty else { return "" }
      return CSV.text(members.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: " "))
    }
  }

  private static let answered: CSVColumns<Answer> = [
    "algorithm": { $0.algorithm }, "x_m": { CSV.number($0.estimate?.position.x, 4) },
    "y_m": { CSV.number($0.estimate?.position.y, 4) },
    "z_m": { CSV.number($0.estimate?.height, 4) },
    "error_m": { one in CSV.number(one.estimate?.position.distance(to: one.truth), 4) },
    "var_xx_m2": { CSV.number($0.covariance?.xx, 6) },
    "var_xy_m2": { CSV.number($0.covariance?.xy, 6) },
    "var_yy_m2": { CSV.number($0.covariance?.yy, 6) },
    "refusal": { $0.outcome.refusal?.description ?? "" },
    "no_covariance": { $0.outcome.withoutCovariance?.description ?? "" },
    "left_out": { $0.leftOut }, "scoring": { $0.scoring },
  ]

  /// The columns of floors, of a building only.
  private var asked: CSVColumns<(trace: String, number: Int, question: Question)> {
    let floors = document.site.floors
    return floors.isEmpty
      ? Self.asked
      : Self.asked + ["truth_floor": { CSV.text(floors.named($0.question.truthFloor)) }]
  }

  private var answered: CSVColumns<Answer> {
    let floors = document.site.floors
    guard !floors.isEmpty else { return Self.answered }
    return Self.answered + [
      "floor": { CSV.text(floors.named($0.estimate?.floor)) },
      "floor_probability": { CSV.number($0.estimate?.floorProbability, 4) },
    ]
  }

  /// Writes the file piece by piece, so that it is never in memory as a whole.
  ///
  /// - Parameter write: takes the next piece: whole lines, some 64 KiB.
  /// - Throws: what `write` throws.
  package func write(to write: (String) throws -> Void) rethrows {
    let ranked = document.ranked
    let names = ranked.map { CSV.text($0.name) }
    let scoring = CSV.text(document.settings.separation.name)
    let (asked, answered) = (asked, answered)
    var piece = "\(asked.names),\(answered.names)\n"
    for (index, trace) in document.traces.enumerated() {
      let name = CSV.text(trace.name)
      for (number, question) in trace.questions.enumerated() {
        let start = asked.fields((name, number, question))
        for (one, algorithm) in zip(ranked, names) {
          let answer = Answer(
            algorithm, one.answers.outcomes[index][number], truth: question.truth, scoring: scoring)
          piece += "\(start),\(answered.fields(answer))\n"
        }
        guard piece.utf8.count >= 1 << 16 else { continue }
        try write(piece)
        piece = ""
      }
    }
    if !piece.isEmpty { try write(piece) }
  }
}

extension [String] {
  /// Returns the name of a floor; empty for none.
  fileprivate func named(_ floor: Int?) -> String {
    floor.flatMap { indices.contains($0) ? self[$0] : nil } ?? ""
  }
}
