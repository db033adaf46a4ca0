package import Evaluation
import Geometry
import Positioning
import Sightings
import Support

/// Every answer of an evaluation as CSV: one line for each question and algorithm.
///
/// Lengths in metres, times in Unix seconds exact to the nanosecond, fields empty where there is
/// nothing to state; `left_out` names the members that have no part in a combination, with the
/// reason; `scoring` shows how it was kept apart from fitting. Quoting as in RFC 4180, lines end
/// with a line feed. See docs/report.md.
package struct AnswersCSV {
  package static let header =
    "trace,epoch,instant_s,asked_s,truth_x_m,truth_y_m,truth_z_m,anchors,packets,bound_rms_m,"
    + "algorithm,x_m,y_m,z_m,error_m,var_xx_m2,var_xy_m2,var_yy_m2,refusal,no_covariance,left_out,scoring\n"

  private let document: EvaluationDocument

  package init(_ document: EvaluationDocument) { self.document = document }

  /// Passes the file on piece by piece, so that it is never in memory as a whole.
  ///
  /// - Parameter write: takes the next piece: whole lines, some 64 KiB.
  /// - Throws: what `write` throws.
  package func write(to write: (String) throws -> Void) rethrows {
    let ranked = document.ranked
    let names = ranked.map { CSV.text($0.name) }
    let scoring = CSV.text(document.settings.separation.name)
    var piece = Self.header
    for (index, trace) in document.traces.enumerated() {
      let name = CSV.text(trace.name)
      for (number, question) in trace.questions.enumerated() {
        let start = name + "," + Self.fields(question, number: number)
        for (one, algorithm) in zip(ranked, names) {
          piece += start + algorithm + ","
          piece += Self.fields(one.answers.outcomes[index][number], truth: question.truth)
          piece += "," + scoring + "\n"
        }
        guard piece.utf8.count >= 1 << 16 else { continue }
        try write(piece)
        piece = ""
      }
    }
    if !piece.isEmpty { try write(piece) }
  }

  private static func fields(_ question: Question, number: Int) -> String {
    let bound = question.bound.map { ($0.xx + $0.yy).squareRoot() }
    return [
      String(number + 1), Timestamp.decimalSeconds(question.instant),
      Timestamp.decimalSeconds(question.asked),
      CSV.number(question.truth.x, 4), CSV.number(question.truth.y, 4),
      CSV.number(question.truthHeight, 4), String(question.anchors),
      String(question.packets), CSV.number(bound, 4), "",
    ].joined(separator: ",")
  }

  private static func fields(_ outcome: Outcome, truth: Point) -> String {
    switch outcome {
    case .refused(let refusal): return ",,,,,,,\(refusal),,"
    case .located(let estimate):
      let place = estimate.position
      let leftOut =
        estimate.leftOut.isEmpty
        ? ""
        : CSV.text(estimate.leftOut.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: " "))
      let start = [
        CSV.number(place.x, 4), CSV.number(place.y, 4), CSV.number(estimate.height, 4),
        CSV.number(place.distance(to: truth), 4),
      ].joined(separator: ",")
      switch estimate.uncertainty {
      case .covariance(let covariance):
        let elements = [covariance.xx, covariance.xy, covariance.yy].map { CSV.number($0, 6) }
        return start + "," + elements.joined(separator: ",") + ",,," + leftOut
      case .unavailable(let reason):
        return start + ",,,,,\(reason)," + leftOut
      }
    }
  }
}
