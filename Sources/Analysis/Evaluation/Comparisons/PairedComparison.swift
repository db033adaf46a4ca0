/// A comparison of two algorithms on the questions that both answered: plain data, lengths in
/// metres.
///
/// Common questions remove the advantage of an algorithm that refuses hard ones. All differences
/// are the first's error minus the second's: negative if the first is better.
public struct PairedComparison: Equatable, Sendable {
  public var first: String
  public var second: String
  /// The compared figure of the errors of a trace.
  public var figure: ErrorFigure
  /// The number of questions that both answered.
  public var commonEpochs: Int
  /// The number of traces with such questions.
  public var commonTraces: Int
  /// The median difference over the common questions; `nil` without common questions.
  public var medianDifference: Double?
  /// The mean over the traces of the difference of the figures, which is the test statistic; `nil`
  /// without common traces.
  public var meanOfTraces: Double?
  /// The typical difference in a trace (Hodges–Lehmann), or the mean over blocks of several traces;
  /// `nil` without common traces.
  public var effect: Double?
  /// The confidence interval of the effect.
  public var interval: IntervalOutcome
  /// The effect relative to its variation; `nil` for fewer than six common traces.
  public var standardized: StandardizedEffect?
  /// The p-value of the difference under equal algorithms, by flipping the signs of whole traces
  /// (two-sided), or by Student's t for blocks of several traces; `nil` without common traces.
  public var p: Double?
  /// The p-value after Holm's adjustment for all comparisons made with it; `nil` if p is.
  public var adjusted: Double?
  /// The tests against a margin, adjusted likewise; `nil` without a margin or common traces.
  public var equivalence: EquivalenceTest?

  /// Returns a Boolean value that is true if the adjusted difference is significant at a level.
  public func isSignificant(at level: Double = 0.05) -> Bool {
    adjusted.map { $0 <= level } ?? false
  }

  /// Returns a Boolean value that is true if the first algorithm is significantly better.
  public func firstIsBetter(at level: Double = 0.05) -> Bool {
    isSignificant(at: level) && meanOfTraces.map { $0 < 0 } ?? false
  }

  /// Returns a Boolean value that is true if the second algorithm is significantly better.
  public func secondIsBetter(at level: Double = 0.05) -> Bool {
    isSignificant(at: level) && meanOfTraces.map { $0 > 0 } ?? false
  }
}

extension PairedComparison {
  /// Compares two algorithms alone: `adjusted` equals `p`.
  ///
  /// - Parameters:
  ///   - first: The outcomes of the first algorithm, one per question.
  ///   - second: The outcomes of the second algorithm.
  ///   - traces: The questions.
  public init(
    _ first: AlgorithmAnswers, _ second: AlgorithmAnswers, traces: [EvaluatedTrace],
    figure: ErrorFigure = .median, test: SignificanceTest = SignificanceTest()
  ) {
    self.init(
      ComparedErrors(first, traces: traces, figure: figure),
      ComparedErrors(second, traces: traces, figure: figure), test: test)
  }

  init(_ first: ComparedErrors, _ second: ComparedErrors, test: SignificanceTest) {
    self.first = first.name
    self.second = second.name
    figure = first.figure
    let differences = zip(first.errors, second.errors).flatMap { one, other in
      zip(one, other).compactMap { a, b -> Double? in
        guard let a, let b else { return nil }
        return a - b
      }
    }
    commonEpochs = differences.count
    medianDifference = SortedSample(differences).quantile(0.5)
    let typical = TypicalDifference(
      first.errors.indices.compactMap { trace in
        first.figures(with: second, trace: trace).map { (trace, $0.0 - $0.1) }
      }, test: test)
    let byTrace = typical.values
    commonTraces = byTrace.count
    meanOfTraces =
      byTrace.isEmpty ? nil : byTrace.reduce(0) { $0 + $1 / Double(byTrace.count) }
    effect = typical.estimate
    interval = typical.interval
    standardized = typical.standardized
    p = typical.p
    adjusted = p
    equivalence = typical.equivalence
  }
}

/// The errors of one algorithm in metres at every question of each trace, for comparison.
struct ComparedErrors {
  let name: String
  /// The errors; `nil` for a question without an answer.
  let errors: [[Double?]]
  let figure: ErrorFigure
  /// The figure of each trace whose questions were all answered; `nil` for the others.
  private let whole: [Double?]

  init(_ answers: AlgorithmAnswers, traces: [EvaluatedTrace], figure: ErrorFigure) {
    precondition(answers.isAbout(traces), "expected one outcome per question")
    name = answers.name
    errors = answers.errors(traces)
    self.figure = figure
    whole = errors.map { trace in
      let answered = trace.compactMap(\.self)
      return answered.count == trace.count ? ErrorSummary(answered).map(figure.of) : nil
    }
  }

  /// Returns the figures of both over the questions of a trace that both answered, or `nil` if
  /// there are none.
  func figures(with other: ComparedErrors, trace: Int) -> (Double, Double)? {
    if let mine = whole[trace], let theirs = other.whole[trace] { return (mine, theirs) }
    return figures(with: other, trace: trace, of: errors[trace].indices)
  }

  /// Returns the figures of both over some questions of a trace.
  func figures(
    with other: ComparedErrors, trace: Int, of questions: some Sequence<Int>
  ) -> (Double, Double)? {
    var (mine, theirs) = ([Double](), [Double]())
    for question in questions {
      guard let a = errors[trace][question], let b = other.errors[trace][question] else { continue }
      mine.append(a)
      theirs.append(b)
    }
    guard let a = ErrorSummary(mine), let b = ErrorSummary(theirs) else { return nil }
    return (figure.of(a), figure.of(b))
  }
}
