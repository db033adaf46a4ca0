package import Geometry
public import Positioning

/// One algorithm's line of a leaderboard: plain data. Lengths in metres, times in seconds.
public struct Score: Equatable, Sendable {
  /// The algorithm as it was named, with its parameters.
  public var name: String
  /// A Boolean value that is true if it used nothing later than each question's instant.
  public var isCausal: Bool
  /// Counts and horizontal error, all traces pooled.
  public var statistics: ErrorStatistics
  /// Confidence intervals of the horizontal error over traces.
  public var intervals: ErrorIntervals
  /// Questions without an answer, by reason; reasons that did not occur are left out.
  public var refusals: [Refusal: Int]
  /// Answers without a covariance, by reason; reasons that did not occur are left out.
  public var withoutCovariance: [Uncertainty.Reason: Int]
  /// Bias and scatter of the error vector; nil without answers.
  package var vector: ErrorVector?
  /// Nil where the truth never moved, or its motion is not known.
  package var track: TrackErrors?
  /// Nil where no truth and estimate have heights.
  package var vertical: VerticalErrors?
  /// The error in space, over the same answers as `vertical`: its median is the SEP, its p95 the
  /// SE95.
  public var spherical: ErrorSummary?
  /// The similarity of successive errors; nil if it is not known.
  public var dependence: ErrorDependence?
  /// Nil without zones.
  package var zones: ZoneDetection?
  /// Nil where nothing was answered.
  package var latency: Latency?
  /// Answers a second, from the first to the last of each trace; nil where no trace has two.
  public var updateRate: Double?
  /// The ellipses in the plane against what happened; nil where no answer has a covariance.
  package var claims: ClaimedUncertainty?
  /// The ellipsoids in space against what happened; nil where no answer has one and a true height.
  package var spaceClaims: ClaimedUncertainty?
  /// Nil where no answered question has a bound.
  package var efficiency: Efficiency?
  /// The counts and errors of each trace, in the order of the traces.
  package var traces: [TraceScore]
}

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

/// One algorithm's figures in one trace.
package struct TraceScore: Equatable, Sendable {
  /// The trace.
  package var name: String
  package var statistics: ErrorStatistics
}

/// How old answers are; times in seconds.
package struct Latency: Equatable, Sendable {
  /// Answered questions before which something was heard.
  package var count: Int
  /// Age of the newest sighting at the question's instant.
  package var medianAge: Double
  package var p95Age: Double
  /// By how much the estimates are behind the truth, beyond the time that was asked; nil unless it
  /// was asked for and the truth moves.
  package var lag: ClockOffset?
}

extension Latency {
  /// Nil where nothing was answered, or nothing is known of what was heard.
  init?(_ answers: [AnsweredQuestion]) {
    let ages = SortedSample(
      answers.lazy.compactMap { answer in
        answer.question.newest.map { Double(answer.question.instant - $0) / 1e9 }
      })
    guard let median = ages.quantile(0.5), let p95 = ages.quantile(0.95) else { return nil }
    count = ages.values.count
    medianAge = median
    p95Age = p95
  }
}
