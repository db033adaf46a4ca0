import Geometry
import Positioning

/// A question in a building with the answer to it.
struct FloorAnswer {
  var question: Question
  /// The index of the trace.
  var trace: Int
  /// The true floor.
  var truth: Int
  /// The answer; `nil` unless there is one with a floor of the building.
  var estimate: Estimate?
  /// The floor of the answer.
  var floor: Int?

  var isRight: Bool { floor == truth }
  /// The distance from the truth in the plane, in metres, over any floor.
  var error: Double? { estimate?.position.distance(to: question.truth) }
  /// The error with the penalty for floors.
  var penalised: Double? {
    error.flatMap { error in floor.map { error + Self.penalty * Double(abs($0 - truth)) } }
  }

  /// The penalty in metres for each floor between the answer and the truth (IPIN competitions,
  /// "Evaluation of indoor positioning systems", Potortì et al. 2017).
  private static let penalty = 15.0
}

/// The answers to those questions in a building that meet a condition.
package struct FloorCondition: Equatable, Sendable {
  /// The limits of the condition's number, of which the upper one may be infinite; `nil` if it is
  /// not about one number.
  package var limits: ClosedRange<Double>?
  package var asked: Int
  package var answered: Int
  /// The number of questions answered on the right floor.
  package var right: Int
  /// The confidence interval of the share on the right floor over traces.
  package var interval: IntervalOutcome
  /// The errors in the plane over any floor; `nil` if nothing was answered.
  package var errors: ErrorSummary?
  /// The errors with a penalty of 15 m per floor; `nil` if nothing was answered.
  package var penalised: ErrorSummary?

  /// The share of questions that are answered on the right floor; `nil` without questions.
  package var rate: Double? { asked > 0 ? Double(right) / Double(asked) : nil }

  /// - Parameter traces: The number of all traces.
  init(
    _ answers: [FloorAnswer], limits: ClosedRange<Double>?, traces: Int,
    bootstrap: TraceBootstrap
  ) {
    self.limits = limits
    asked = answers.count
    answered = answers.count { $0.floor != nil }
    right = answers.count(where: \.isRight)
    var (rights, counts) = ([Int](repeating: 0, count: traces), [Int](repeating: 0, count: traces))
    for answer in answers {
      counts[answer.trace] += 1
      if answer.isRight { rights[answer.trace] += 1 }
    }
    interval = bootstrap.shareIntervals([rights], of: counts)[0]
    errors = ErrorSummary(answers.compactMap(\.error))
    penalised = ErrorSummary(answers.compactMap(\.penalised))
  }
}
