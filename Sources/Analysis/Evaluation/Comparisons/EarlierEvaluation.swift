/// The figures of an evaluation that was written earlier.
package struct EarlierEvaluation: Sendable {
  /// The errors of one algorithm, in metres; nil where nothing was answered.
  package struct Algorithm: Sendable {
    package var name: String
    /// Of all answers.
    package var error: Double?
    /// By the names of traces.
    package var errorsOfTraces: [String: Double]

    package init(name: String, error: Double?, errorsOfTraces: [String: Double]) {
      (self.name, self.error, self.errorsOfTraces) = (name, error, errorsOfTraces)
    }
  }

  /// What messages and tables call it.
  package var name: String
  package var algorithms: [Algorithm]
  /// What was asked: `epoch`, `levels`, `truth at` and `dimensions`, as ``EvaluationSettings`` has
  /// them.
  package var settings: [(name: String, value: String)]

  package init(
    name: String, algorithms: [Algorithm], settings: [(name: String, value: String)]
  ) {
    (self.name, self.algorithms, self.settings) = (name, algorithms, settings)
  }

  /// Sentences on what was asked otherwise than in an evaluation.
  func differences(from other: EvaluationSettings) -> [String] {
    let now = [other.epoch, other.levels, other.truthAt, other.dimensions]
    return zip(settings, now).filter { $0.0.value != $0.1 }.map { before, now in
      "\(name) has other settings: \(before.name) \(before.value) there, \(now) here"
    }
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

  /// Whether the change is certain at a level.
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
    var notes = earlier.differences(from: settings)
    let traces = Set(board.scores.flatMap(\.traces).map(\.name))
    let old = Set(earlier.algorithms.flatMap(\.errorsOfTraces.keys))
    if traces != old {
      notes.append(
        "\(earlier.name) has \(old.count) traces, of which \(old.intersection(traces).count) are "
          + "here; only those are compared")
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
