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
