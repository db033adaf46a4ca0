/// Two algorithms at the questions that both answered: plain data, lengths in metres.
///
/// An algorithm that refuses the hard questions looks better than it is; on common questions it
/// does not. All differences are the first's error minus the second's: negative where the first is
/// better.
package struct PairedComparison: Equatable, Sendable {
  package var first: String
  package var second: String
  /// What is compared: this figure of the errors of a trace.
  package var figure: ErrorFigure
  /// Questions that both answered.
  package var commonEpochs: Int
  /// The traces with such questions.
  package var commonTraces: Int
  /// Median over the common questions of the difference; nil without common questions.
  package var medianDifference: Double?
  /// Mean over the traces of the difference of the figures: what is tested. Nil without common
  /// traces.
  package var meanOfTraces: Double?
  /// How much it typically is in a trace, by Hodges and Lehmann; nil without common traces.
  package var effect: Double?
  /// Confidence interval of the effect.
  package var interval: IntervalOutcome
  /// The same beside how much it varies; nil for fewer than six common traces.
  package var standardized: StandardizedEffect?
  /// The probability of a difference at least so large if the algorithms were as good as each
  /// other, by flipping the signs of whole traces (two-sided); nil without common traces.
  package var p: Double?
  /// The same after Holm's adjustment for all comparisons that were made along with it; nil where p
  /// is.
  package var adjusted: Double?

  /// Returns whether the difference is certain at a level, with all comparisons made counted.
  package func isSignificant(at level: Double = 0.05) -> Bool {
    adjusted.map { $0 <= level } ?? false
  }

  /// Returns whether the first is certainly better.
  package func firstIsBetter(at level: Double = 0.05) -> Bool {
    isSignificant(at: level) && meanOfTraces.map { $0 < 0 } ?? false
  }

  /// Returns whether the second is certainly better.
  package func secondIsBetter(at level: Double = 0.05) -> Bool {
    isSignificant(at: level) && meanOfTraces.map { $0 > 0 } ?? false
  }
}

extension PairedComparison {
  /// Compares two algorithms alone: `adjusted` is `p`.
  ///
  /// - Parameters:
  ///   - first: one outcome for each question.
  ///   - second: the same.
  ///   - traces: the questions.
  package init(
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
    let byTrace = first.errors.indices.compactMap { trace in
      first.figures(with: second, trace: trace).map { $0.0 - $0.1 }
    }
    commonTraces = byTrace.count
    meanOfTraces =
      byTrace.isEmpty ? nil : byTrace.reduce(0) { $0 + $1 / Double(byTrace.count) }
    let typical = HodgesLehmann(byTrace)
    effect = typical.estimate
    interval = typical.interval(confidence: 1 - test.level)
    standardized = StandardizedEffect(byTrace)
    p = test.signFlips(byTrace)
    adjusted = p
  }
}

/// One algorithm's errors in metres at every question of each trace, ready to be compared.
struct ComparedErrors {
  let name: String
  /// Nil where there is no answer.
  let errors: [[Double?]]
  let figure: ErrorFigure
  /// The figure of each trace that was answered to the last question; nil for the others.
  private let whole: [Double?]

  init(_ answers: AlgorithmAnswers, traces: [EvaluatedTrace], figure: ErrorFigure) {
    precondition(answers.isAbout(traces), "there is one outcome for each question")
    name = answers.name
    errors = answers.errors(traces)
    self.figure = figure
    whole = errors.map { trace in
      let answered = trace.compactMap(\.self)
      return answered.count == trace.count ? ErrorSummary(answered).map(figure.of) : nil
    }
  }

  /// The figures of both over the questions of a trace that both answered; nil where there is none.
  func figures(with other: ComparedErrors, trace: Int) -> (Double, Double)? {
    if let mine = whole[trace], let theirs = other.whole[trace] { return (mine, theirs) }
    var (mine, theirs) = ([Double](), [Double]())
    for (a, b) in zip(errors[trace], other.errors[trace]) {
      guard let a, let b else { continue }
      mine.append(a)
      theirs.append(b)
    }
    guard let a = ErrorSummary(mine), let b = ErrorSummary(theirs) else { return nil }
    return (figure.of(a), figure.of(b))
  }
}
