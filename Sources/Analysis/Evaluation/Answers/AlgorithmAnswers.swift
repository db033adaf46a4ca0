public import Positioning

/// What one algorithm stated to every question.
public struct AlgorithmAnswers: Equatable, Sendable {
  /// The algorithm as it was named, with its parameters.
  public var name: String
  /// Whether it used nothing later than each question's instant.
  public var isCausal: Bool
  /// For each trace, in the order of the traces, the answer to each of its questions.
  public var outcomes: [[Outcome]]

  public init(name: String, isCausal: Bool = true, outcomes: [[Outcome]]) {
    self.name = name
    self.isCausal = isCausal
    self.outcomes = outcomes
  }
}
