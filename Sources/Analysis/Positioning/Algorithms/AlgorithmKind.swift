/// A kind of algorithm: what it is called, what can be set, and how to make one.
public struct AlgorithmKind: Sendable {
  /// The name on the command line and in reports.
  public let name: String
  /// What it does, in one line.
  public let summary: String
  public let parameters: [AlgorithmParameter]
  /// Whether `all` means it with its default parameters.
  public let isInAll: Bool
  /// Whether it answers from a survey only.
  public let needsSurvey: Bool
  let make: @Sendable (inout AlgorithmSettings) throws(AlgorithmError) -> any PositioningAlgorithm

  init(
    _ name: String, _ summary: String, _ parameters: [AlgorithmParameter] = [],
    isInAll: Bool = true,
    needsSurvey: Bool = false,
    make:
      @escaping @Sendable (inout AlgorithmSettings) throws(AlgorithmError) ->
      any PositioningAlgorithm
  ) {
    self.name = name
    self.summary = summary
    self.parameters = parameters
    self.isInAll = isInAll
    self.needsSurvey = needsSurvey
    self.make = make
  }
}

/// Something that can be set of an algorithm, as in `weighted-centroid:degree=1`.
public struct AlgorithmParameter: Sendable {
  public let name: String
  /// What it is, with its unit.
  public let summary: String
  /// The value where none is written.
  public let fallback: String

  init(_ name: String, _ summary: String, fallback: String) {
    self.name = name
    self.summary = summary
    self.fallback = fallback
  }
}

/// Why a text is not an algorithm: one sentence with what is expected.
public struct AlgorithmError: Error, Equatable, Sendable, CustomStringConvertible {
  public let description: String
}
