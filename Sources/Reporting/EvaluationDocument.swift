public import Evaluation

/// Everything that one evaluation says, for every form it is written in: plain data.
public struct EvaluationDocument: Sendable {
  /// The questions, trace by trace.
  public var traces: [EvaluatedTrace]
  /// What each algorithm said to them.
  public var answers: [AlgorithmAnswers]

  public init(traces: [EvaluatedTrace], answers: [AlgorithmAnswers]) {
    self.traces = traces
    self.answers = answers
  }
}
