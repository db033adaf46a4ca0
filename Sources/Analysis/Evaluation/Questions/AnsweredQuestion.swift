import Geometry
public import Positioning

/// A question and the estimate that answered it.
struct AnsweredQuestion {
  var question: Question
  var estimate: Estimate

  /// Estimate minus truth, in metres.
  var dx: Double { estimate.position.x - question.truth.x }
  var dy: Double { estimate.position.y - question.truth.y }
  /// Nil where a height is not known.
  var dz: Double? {
    guard let height = estimate.height, let truth = question.truthHeight else { return nil }
    return height - truth
  }
  /// The distance from the truth in the plane, in metres.
  var error: Double { estimate.position.distance(to: question.truth) }
}

extension AlgorithmAnswers {
  /// The answered questions of each trace.
  func answered(_ traces: [EvaluatedTrace]) -> [[AnsweredQuestion]] {
    zip(traces, outcomes).map { trace, outcomes in
      zip(trace.questions, outcomes).compactMap { question, outcome in
        guard case .located(let estimate) = outcome else { return nil }
        return AnsweredQuestion(question: question, estimate: estimate)
      }
    }
  }

  /// The horizontal error in metres at every question of each trace; nil where there is no answer.
  func errors(_ traces: [EvaluatedTrace]) -> [[Double?]] {
    zip(traces, outcomes).map { trace, outcomes in
      zip(trace.questions, outcomes).map { question, outcome in
        guard case .located(let estimate) = outcome else { return nil }
        return estimate.position.distance(to: question.truth)
      }
    }
  }

  /// Returns whether there is an answer to every question, be it a refusal.
  func isAbout(_ traces: [EvaluatedTrace]) -> Bool {
    outcomes.map(\.count) == traces.map(\.questions.count)
  }
}

/// The answers of one algorithm to every question.
public struct AlgorithmAnswers: Equatable, Sendable {
  /// The algorithm as it was named, with its parameters.
  public var name: String
  /// A Boolean value that is true if it used nothing later than each question's instant.
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
