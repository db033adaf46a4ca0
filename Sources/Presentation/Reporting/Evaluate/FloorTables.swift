import Evaluation
import NumericalMethods
import Support

extension EvaluationDocument {
  /// The confusion matrix of each algorithm's floors, its answers by condition, and its claims; empty
  /// outside of a building.
  var floorTables: [[ReportTable]] {
    ranked.compactMap { one in
      guard let floors = one.score.floors else { return nil }
      let tables = [confusion(of: one.name, floors), conditions(of: one.name, floors)]
      return floors.claims.isEmpty ? tables : tables + [claims(of: one.name, floors)]
    }
  }

  private func confusion(of name: String, _ floors: FloorDetection) -> ReportTable {
    ReportTable(
      "\(name): true floor in the row, estimate in the column; \(percent(floors.all.rate)) right"
        + (floors.all.interval.interval.map {
          " (95 % interval over \(units) \(percent($0.lower)) to \(percent($0.upper)))"
        } ?? ""),
      of: floors.floors.indices, isSortable: false,
      [.text("true floor") { .name(floors.floors[$0]) }]
        + floors.floors.indices.map { floor in
          .number(floors.floors[floor]) { .count(floors.counts[$0][floor]) }
        }
        + [.number("no answer") { .count(floors.unanswered[$0]) }])
  }

  private func conditions(of name: String, _ floors: FloorDetection) -> ReportTable {
    typealias Row = (words: String, answers: FloorCondition)
    var rows: [Row] = [("all epochs", floors.all)]
    rows += floors.byLevels.map { ($0.words(beyond: "at least") + " levels in 10 s", $0) }
    rows += floors.byDistance.map { ($0.words(beyond: "more than") + " m from the survey", $0) }
    if let rich = floors.rich { rows.append(("at least 10 levels, up to 4 m", rich)) }
    return ReportTable(
      "\(name): by the levels received, and by the distance from the truth to the survey",
      of: rows.filter { $0.answers.asked > 0 }, isSortable: false,
      [
        .text("condition") { .text($0.words) },
        .number("epochs") { .count($0.answers.asked) },
        .number("answered") { .count($0.answers.answered) },
        .number("right floor", "Share of all epochs, answered or not") {
          .share($0.answers.rate)
        },
        .text("95 % interval", "Of the share, over \(units)") {
          .shares($0.answers.interval.interval)
        },
        .number("median, m", "Error of the answers in the plane, on any floor") {
          .number($0.answers.errors?.median)
        },
        .number("p75, m", "Error of the answers in the plane, on any floor") {
          .number($0.answers.errors?.p75)
        },
        .number("p75 with penalty, m", "With 15 m per floor between answer and truth") {
          .number($0.answers.penalised?.p75)
        },
      ])
  }

  private func claims(of name: String, _ floors: FloorDetection) -> ReportTable {
    ReportTable(
      "\(name): by the probability that answers claim for their floor", of: floors.claims,
      isSortable: false,
      [
        .text("claimed") { .text($0.least > 0 ? "at least \(decimal($0.least, 2))" : "less") },
        .number("answers") { .count($0.answered) },
        .number("right floor") { .share($0.rate) },
      ])
  }
}

extension FloorCondition {
  /// Returns the limits in words.
  ///
  /// - Parameter words: the words before a lower limit without an upper one.
  fileprivate func words(beyond words: String) -> String {
    guard let limits else { return "" }
    let (low, high) = (decimal(limits.lowerBound, 0), decimal(limits.upperBound, 0))
    if limits.upperBound == .infinity { return "\(words) \(low)" }
    if limits.lowerBound == limits.upperBound { return low }
    return limits.lowerBound == 0 ? "up to \(high)" : "\(low) to \(high)"
  }
}
