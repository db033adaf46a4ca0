package import Geometry
import Positioning

extension Score {
  /// Pools the traces of one algorithm.
  ///
  /// - Parameters:
  ///   - answers: one outcome for each question.
  ///   - traces: the questions; give one trace for the figures of that trace alone.
  ///   - zones: of overlapping ones the first counts.
  ///   - measuresLag: whether to look for the lag behind the truth.
  package init(
    _ answers: AlgorithmAnswers, traces: [EvaluatedTrace], zones: [Polygon] = [],
    bootstrap: TraceBootstrap = TraceBootstrap(), measuresLag: Bool = false
  ) {
    precondition(answers.isAbout(traces), "there is one outcome for each question")
    let answered = answers.answered(traces)
    let errors = answered.map { $0.map(\.error) }
    let pooled = answered.flatMap(\.self)
    name = answers.name
    isCausal = answers.isCausal
    statistics = ErrorStatistics(
      errors: errors.flatMap(\.self), asked: traces.reduce(0) { $0 + $1.questions.count })
    intervals = ErrorIntervals(errors, bootstrap: bootstrap)
    refusals = [:]
    for case .refused(let reason) in answers.outcomes.joined() { refusals[reason, default: 0] += 1 }
    withoutCovariance = [:]
    for case .unavailable(let reason) in pooled.lazy.map(\.estimate.uncertainty) {
      withoutCovariance[reason, default: 0] += 1
    }
    vector = ErrorVector(pooled)
    dependence = ErrorDependence(answers, traces: traces)
    track = TrackErrors(pooled)
    vertical = VerticalErrors(pooled)
    spherical = ErrorSummary(
      pooled.compactMap { answer in
        answer.dz.map { (answer.error * answer.error + $0 * $0).squareRoot() }
      })
    self.zones =
      zones.isEmpty
      ? nil : ZoneDetection(answers, traces: traces, zones: zones, bootstrap: bootstrap)
    latency = Latency(pooled)
    if measuresLag {
      latency?.lag = ClockOffset(lagOf: answered, behind: traces, bootstrap: bootstrap)
    }
    updateRate = Self.updateRate(answered)
    claims = ClaimedUncertainty(answered, bootstrap: bootstrap)
    spaceClaims = ClaimedUncertainty(inSpace: answered, bootstrap: bootstrap)
    efficiency = Efficiency(answered, traces: traces, bootstrap: bootstrap)
    self.traces = zip(traces, errors).map { trace, errors in
      TraceScore(
        name: trace.name,
        statistics: ErrorStatistics(errors: errors, asked: trace.questions.count))
    }
  }

  /// Answers a second between the first and the last answer of each trace.
  private static func updateRate(_ answered: [[AnsweredQuestion]]) -> Double? {
    var (steps, seconds) = (0, 0.0)
    for trace in answered {
      guard let first = trace.first, let last = trace.last else { continue }
      steps += trace.count - 1
      seconds += Double(last.question.instant - first.question.instant) / 1e9
    }
    return seconds > 0 ? Double(steps) / seconds : nil
  }
}
