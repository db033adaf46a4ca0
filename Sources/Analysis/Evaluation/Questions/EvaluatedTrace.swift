/// The questions about one target in one trace, in order of time.
public struct EvaluatedTrace: Equatable, Sendable {
  /// The trace's name, with the node's where several nodes moved in it.
  public var name: String
  public var questions: [Question]

  public init(name: String, questions: [Question]) {
    self.name = name
    self.questions = questions
  }
}
