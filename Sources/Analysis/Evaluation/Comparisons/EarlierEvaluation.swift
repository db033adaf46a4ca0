public import Support

/// The results of an earlier evaluation, for comparison.
public struct EarlierEvaluation: Sendable {
  /// The errors of one algorithm, in metres; `nil` if it answered nothing.
  public struct Algorithm: Sendable {
    /// The name of the algorithm.
    public var name: String
    /// The error of all answers.
    public var error: Double?
    /// The errors by name of the trace.
    public var errorsOfTraces: [String: Double]

    /// Creates an algorithm with its errors, in metres.
    public init(name: String, error: Double?, errorsOfTraces: [String: Double]) {
      (self.name, self.error, self.errorsOfTraces) = (name, error, errorsOfTraces)
    }
  }

  /// A setting: the property of a request, with its value as the option is written.
  public typealias Setting = (property: String, value: String)

  /// The name for messages and tables.
  public var name: String
  /// The scored algorithms.
  public var algorithms: [Algorithm]
  /// The number of epochs by name of the trace.
  public var epochsOfTraces: [String: Int]
  /// The settings of the questions and scores, without those that the version of the program did
  /// not write.
  public var questions: [Setting]
  /// The settings of the answers.
  public var knowledge: [Setting]

  /// Creates an earlier evaluation.
  public init(
    name: String, algorithms: [Algorithm], epochsOfTraces: [String: Int] = [:],
    questions: [Setting], knowledge: [Setting]
  ) {
    (self.name, self.algorithms, self.epochsOfTraces) = (name, algorithms, epochsOfTraces)
    (self.questions, self.knowledge) = (questions, knowledge)
  }

  /// - Throws: `RSSIError` if the evaluation asks or scores other questions, because the difference
  ///   of two errors would then include the difference of the questions.
  public func requireQuestions(of other: EvaluationSettings) throws(RSSIError) {
    let differences = Self.differences(questions, other.questions)
    guard !differences.isEmpty else { return }
    throw RSSIError(
      .badInput,
      "\(name) was evaluated with other settings: "
        + differences.map { "`\($0.property)` \($0.before) there, \($0.now) here" }
        .joined(separator: "; "),
      advice: "evaluate now "
        + differences.map { Self.written($0.property, $0.before) }.joined(separator: " and ")
        + ", or write \(name) again "
        + differences.map { Self.written($0.property, $0.now) }.joined(separator: " and "))
  }

  /// Returns sentences on settings of the answers that differ.
  func notes(on other: EvaluationSettings) -> [String] {
    Self.differences(knowledge, other.knowledge).map {
      "\(name) was evaluated with another value of \($0.property): \($0.before), now \($0.now)"
    }
  }

  private static func differences(
    _ before: [Setting], _ now: [Setting]
  ) -> [(property: String, before: String, now: String)] {
    before.compactMap { setting in
      guard let now = now.first(where: { $0.property == setting.property })?.value,
        now != setting.value, duration(now) == nil || duration(now) != duration(setting.value)
      else { return nil }
      return (setting.property, setting.value, now)
    }
  }

  /// Returns the option that gives a setting its value.
  private static func written(_ property: String, _ value: String) -> String {
    switch value {
    case EvaluationSettings.notGiven, EvaluationSettings.sameAsEpoch: "without `\(property)`"
    case EvaluationSettings.given: "with `\(property)`"
    default: "with `\(property)` \(value)"
    }
  }
}

extension EvaluationSettings {
  /// The value of a setting that was not given.
  public static let notGiven = "no"
  /// The value of a setting that was given.
  public static let given = "yes"
  /// The value for a window as long as the epoch.
  public static let sameAsEpoch = "as long as the epoch"

  /// The settings of questions and scores; evaluations are comparable only if they agree.
  public var questions: [EarlierEvaluation.Setting] {
    var block = Self.notGiven
    if case .blocks(let length) = resampled { block = written(duration: length) }
    let settings: [EarlierEvaluation.Setting] = [
      ("epoch", epoch), ("window", window ?? Self.sameAsEpoch), ("truthAt", truthAt),
      ("clockOffset", clockOffset), ("crossValidate", crossValidation ?? Self.notGiven),
      ("inSample", separation == .inSample ? Self.given : Self.notGiven),
      ("intervalBlocks", block),
    ]
    // The truth of a stop follows from the epoch.
    return settings.filter { $0.value != "stop" }
  }

  /// The settings of the answers that may be compared, besides algorithms and calibration.
  public var knowledge: [EarlierEvaluation.Setting] {
    [("levels", levels), ("dimensions", dimensions), ("height", height ?? "estimated")]
  }
}

/// The change of the errors of one algorithm since an earlier evaluation.
package struct EvaluationChange: Equatable, Sendable {
  package var name: String
  /// The ranking figure of all errors, in metres.
  package var before: Double?
  package var after: Double?
  /// The number of traces with errors in both evaluations.
  package var commonTraces: Int
  /// The typical change of the figure of a trace (Hodges–Lehmann), in metres; negative for an
  /// improvement, `nil` without common traces.
  package var effect: Double?
  package var interval: IntervalOutcome
  /// The p-value by flipping the signs of traces, adjusted by Holm for all algorithms; `nil`
  /// without common traces.
  package var p: Double?
  /// The tests of the figures now against those before with a margin, adjusted likewise; `nil`
  /// without a margin or common traces.
  package var equivalence: EquivalenceTest?

  /// Returns a Boolean value that is true if the change is significant at a level.
  package func isSignificant(at level: Double) -> Bool { p.map { $0 <= level } ?? false }
}

/// The changes since an earlier evaluation.
///
/// Traces with the same name are paired: for the same walk, the difference of two figures varies
/// less than either.
package struct EvaluationChanges: Equatable, Sendable {
  /// The earlier evaluation.
  package let earlier: String
  package let figure: ErrorFigure
  package let changes: [EvaluationChange]
  /// The algorithms in only one of the two.
  package let onlyBefore: [String]
  package let onlyNow: [String]
  /// Sentences on settings that differ, and traces without a partner.
  package let notes: [String]

  init(
    from earlier: EarlierEvaluation, to board: Leaderboard, _ settings: EvaluationSettings,
    test: SignificanceTest
  ) {
    self.earlier = earlier.name
    figure = board.figure
    let known = Dictionary(earlier.algorithms.map { ($0.name, $0) }) { first, _ in first }
    let scores = board.scores.filter { known[$0.name] != nil }
    let figure = board.figure
    var changes = scores.compactMap { score in
      known[score.name].map { Self.change($0, score, figure, test) }
    }
    let tested = changes.indices.filter { changes[$0].p != nil }
    for (index, p) in zip(tested, Holm.adjusted(tested.compactMap { changes[$0].p })) {
      changes[index].p = p
    }
    var equivalences = changes.map(\.equivalence)
    Holm.adjust(&equivalences)
    for index in changes.indices { changes[index].equivalence = equivalences[index] }
    self.changes = changes
    onlyNow = board.scores.map(\.name).filter { known[$0] == nil }
    let names = Set(board.scores.map(\.name))
    onlyBefore = earlier.algorithms.map(\.name).filter { !names.contains($0) }
    var notes = earlier.notes(on: settings)
    let traces = Dictionary(
      board.scores.flatMap(\.traces).map { ($0.name, $0.statistics.asked) }
    ) { first, _ in first }
    let old = Set(earlier.algorithms.flatMap(\.errorsOfTraces.keys))
    let common = old.intersection(traces.keys)
    let unit = settings.resampled
    if old != Set(traces.keys) {
      notes.append(
        "\(earlier.name): \(common.count) of \(unit.counted(old.count)) "
          + "\(common.count == 1 ? "is" : "are") in this evaluation; only those are compared")
    }
    let changed = common.count { name in
      earlier.epochsOfTraces[name].map { $0 != traces[name] } ?? false
    }
    if changed > 0 {
      notes.append(
        "\(earlier.name): \(unit.counted(changed)) \(changed == 1 ? "has" : "have") another "
          + "number of epochs here: sightings or truth changed, which affects the differences")
    }
    self.notes = notes
  }

  private static func change(
    _ before: EarlierEvaluation.Algorithm, _ now: Score, _ figure: ErrorFigure,
    _ test: SignificanceTest
  ) -> EvaluationChange {
    let compared = now.traces.enumerated().compactMap { index, trace in
      before.errorsOfTraces[trace.name].flatMap { old in
        trace.statistics.errors.map { (unit: index, difference: figure.of($0) - old) }
      }
    }
    let typical = TypicalDifference(compared, test: test)
    // The figures now are the second of the two.
    let opposite = TypicalDifference(compared.map { ($0.unit, -$0.difference) }, test: test)
    return EvaluationChange(
      name: now.name, before: before.error,
      after: now.statistics.errors.map(figure.of), commonTraces: compared.count,
      effect: typical.estimate, interval: typical.interval, p: typical.p,
      equivalence: opposite.equivalence)
  }
}

extension EvaluationDocument {
  /// Compares the scores with those of an earlier evaluation, and adds notes on other differences.
  package mutating func compare(with earlier: EarlierEvaluation) {
    var test = SignificanceTest(level: leaderboard.verdict.level, margin: settings.margin)
    test.owners = owners
    let found = EvaluationChanges(from: earlier, to: leaderboard, settings, test: test)
    changes = found
    notes += found.notes
  }
}
