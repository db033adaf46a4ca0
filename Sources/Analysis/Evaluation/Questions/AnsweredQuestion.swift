import Geometry
public import Positioning

/// A question with its estimate.
struct AnsweredQuestion {
  var question: Question
  var estimate: Estimate

  /// The estimate minus the truth, in metres.
  var dx: Double { estimate.position.x - question.truth.x }
  var dy: Double { estimate.position.y - question.truth.y }
  /// The error of the height; `nil` if a height is unknown.
  var dz: Double? {
    guard let height = estimate.height, let truth = question.truthHeight else { return nil }
    return height - truth
  }
  /// The distance from the truth in the plane, in metres.
  var error: Double { estimate.position.distance(to: question.truth) }
}

extension AlgorithmAnswers {
  /// Returns the answered questions of each trace.
  func answered(_ traces: [EvaluatedTrace]) -> [[AnsweredQuestion]] {
    zip(traces, outcomes).map { trace, outcomes in
      zip(trace.questions, outcomes).compactMap { question, outcome in
        guard case .located(let estimate) = outcome else { return nil }
        return AnsweredQuestion(question: question, estimate: estimate)
      }
    }
  }

  /// Returns the horizontal error in metres at every question of each trace; `nil` for a question
  /// without an answer.
  func errors(_ traces: [EvaluatedTrace]) -> [[Double?]] {
    zip(traces, outcomes).map { trace, outcomes in
      zip(trace.questions, outcomes).map { question, outcome in
        guard case .located(let estimate) = outcome else { return nil }
        return estimate.position.distance(to: question.truth)
      }
    }
  }

  /// Returns a Boolean value that is true if every question has an outcome.
  func isAbout(_ traces: [EvaluatedTrace]) -> Bool {
    outcomes.map(\.count) == traces.map(\.questions.count)
  }
}

/// The answers of one algorithm to every question.
public struct AlgorithmAnswers: Equatable, Sendable {
  /// The name of the algorithm, with its parameters.
  public var name: String
  /// A Boolean value that is true if it uses nothing later than each question's instant.
  public var isCausal: Bool
  /// The answer to each question of each trace, in the order of the traces.
  public var outcomes: [[Outcome]]

  /// Creates the answers of an algorithm, by trace and question.
  public init(name: String, isCausal: Bool = true, outcomes: [[Outcome]]) {
    self.name = name
    self.isCausal = isCausal
    self.outcomes = outcomes
  }
}
