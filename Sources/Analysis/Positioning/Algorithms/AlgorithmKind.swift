public import Support

/// A kind of algorithm: what it is called, what can be set, and how to make one.
public struct AlgorithmKind: SpecifiedKind {
  /// The name on the command line and in reports.
  public let name: String
  /// What it does, in one line.
  public let summary: String
  /// What can be set of it.
  public let parameters: [Parameter]
  /// Whether `all` means it with its default parameters.
  public let isInAll: Bool
  /// Whether it answers from a survey only.
  public let needsSurvey: Bool
  let make: @Sendable (ParameterValues) throws(RSSIError) -> any PositioningAlgorithm

  init(
    _ name: String, _ summary: String, _ parameters: [Parameter] = [],
    isInAll: Bool = true, needsSurvey: Bool = false,
    make: @escaping @Sendable (ParameterValues) throws(RSSIError) -> any PositioningAlgorithm
  ) {
    self.name = name
    self.summary = summary
    self.parameters = parameters
    self.isInAll = isInAll
    self.needsSurvey = needsSurvey
    self.make = make
  }
}
