public import Support

/// The figures of an evaluation that was written earlier.
public struct EarlierEvaluation: Sendable {
  /// The errors of one algorithm, in metres; nil where nothing was answered.
  public struct Algorithm: Sendable {
    /// The name of the algorithm.
    public var name: String
    /// Of all answers.
    public var error: Double?
    /// By the names of traces.
    public var errorsOfTraces: [String: Double]

    /// Creates an algorithm with its errors, in metres.
    public init(name: String, error: Double?, errorsOfTraces: [String: Double]) {
      (self.name, self.error, self.errorsOfTraces) = (name, error, errorsOfTraces)
    }
  }

  /// A setting by the property of a request that has it, and as its option is written.
  public typealias Setting = (property: String, value: String)

  /// What messages and tables call it.
  public var name: String
  /// The algorithms that were scored.
  public var algorithms: [Algorithm]
  /// How many epochs each trace has, by its name.
  public var epochsOfTraces: [String: Int]
  /// What was asked and scored; without those that the version of the program did not write.
  public var questions: [Setting]
  /// What the questions were answered with.
  public var knowledge: [Setting]

  /// Creates an earlier evaluation.
  public init(
    name: String, algorithms: [Algorithm], epochsOfTraces: [String: Int] = [:],
    questions: [Setting], knowledge: [Setting]
  ) {
    (self.name, self.algorithms, self.epochsOfTraces) = (name, algorithms, epochsOfTraces)
    (self.questions, self.knowledge) = (questions, knowledge)
  }

  /// - Throws: `RSSIError` for an evaluation that asks or scores other questions: the difference of
  ///   two errors would then be one of the questions, too.
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

  /// Sentences on what the questions were answered with otherwise.
  func notes(on other: EvaluationSettings) -> [String] {
    Self.differences(knowledge, other.knowledge).map {
      "\(name) has other \($0.property): \($0.before) there, \($0.now) here"
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

  /// The option that gives a setting its value.
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
  /// The window that is as long as the epoch.
  public static let sameAsEpoch = "as long as the epoch"

  /// What is asked and scored: an evaluation is compared only with one that has the same.
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

  /// What answers the questions and may be what is compared, beside algorithms and calibration.
  public var knowledge: [EarlierEvaluation.Setting] {
    [("levels", levels), ("dimensions", dimensions), ("height", height ?? "estimated")]
  }
}

/// How the errors of one algorithm differ from those of an earlier evaluation.
package struct EvaluationChange: Equatable, Sendable {
  package var name: String
  /// The figure of all errors, in metres.
  package var before: Double?
  package var after: Double?
  /// Traces of one name with errors in both.
  package var commonTraces: Int
  /// How much larger the figure of a trace typically is now (Hodges and Lehmann), in metres;
  /// negative where it became better. Nil without common traces.
  package var effect: Double?
  package var interval: IntervalOutcome
  /// By flipping the signs of traces, adjusted by Holm for all algorithms; nil where no trace is
  /// common.
  package var p: Double?

  /// Returns whether the change is certain at a level.
  package func isSignificant(at level: Double) -> Bool { p.map { $0 <= level } ?? false }
}

/// What became better or worse since an earlier evaluation.
///
/// Traces of one name are paired: the same walk, answered again, has less of its own in the
/// difference than in either figure.
package struct EvaluationChanges: Equatable, Sendable {
  /// The earlier evaluation.
  package let earlier: String
  package let figure: ErrorFigure
  package let changes: [EvaluationChange]
  /// Algorithms of one of both alone.
  package let onlyBefore: [String]
  package let onlyNow: [String]
  /// Sentences on settings that differ, and traces that have no partner.
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
        "\(earlier.name) has \(unit.counted(old.count)), of which \(common.count) "
          + "\(common.count == 1 ? "is" : "are") here; only those are compared")
    }
    let changed = common.count { name in
      earlier.epochsOfTraces[name].map { $0 != traces[name] } ?? false
    }
    if changed > 0 {
      notes.append(
        "\(unit.counted(changed)) of \(earlier.name) \(changed == 1 ? "has" : "have") another "
          + "number of epochs here: sightings or truth changed, so effects are partly theirs")
    }
    self.notes = notes
  }

  private static func change(
    _ before: EarlierEvaluation.Algorithm, _ now: Score, _ figure: ErrorFigure,
    _ test: SignificanceTest
  ) -> EvaluationChange {
    let differences = now.traces.compactMap { trace -> Double? in
      guard let old = before.errorsOfTraces[trace.name], let errors = trace.statistics.errors
      else { return nil }
      return figure.of(errors) - old
    }
    let typical = HodgesLehmann(differences)
    return EvaluationChange(
      name: now.name, before: before.error,
      after: now.statistics.errors.map(figure.of), commonTraces: differences.count,
      effect: typical.estimate, interval: typical.interval(confidence: 1 - test.level),
      p: test.signFlips(differences))
  }
}

extension EvaluationDocument {
  /// Compares the scores with those of an earlier evaluation, and notes what differs besides.
  package mutating func compare(with earlier: EarlierEvaluation) {
    let found = EvaluationChanges(
      from: earlier, to: leaderboard, settings,
      test: SignificanceTest(level: leaderboard.verdict.level))
    changes = found
    notes += found.notes
  }
}
