package import Geometry
public import Positioning

/// The scores of one algorithm in a leaderboard: plain data. Lengths in metres, times in seconds.
public struct Score: Equatable, Sendable {
  /// The name of the algorithm, with its parameters.
  public var name: String
  /// A Boolean value that is true if it uses nothing later than each question's instant.
  public var isCausal: Bool
  /// The counts and the horizontal error, pooled over all traces.
  public var statistics: ErrorStatistics
  /// The confidence intervals of the horizontal error over traces.
  public var intervals: ErrorIntervals
  /// The distribution function of the horizontal error; `nil` if nothing was answered.
  package var distribution: ErrorDistribution?
  /// The number of questions without an answer, by reason.
  public var refusals: [Refusal: Int]
  /// The number of answers without a covariance, by reason.
  public var withoutCovariance: [Uncertainty.Reason: Int]
  /// The bias and scatter of the error vector; `nil` without answers.
  package var vector: ErrorVector?
  /// The errors along and across the track; `nil` if the truth never moved, or its motion is
  /// unknown.
  package var track: TrackErrors?
  /// The vertical errors; `nil` if no truth and estimate have heights.
  package var vertical: VerticalErrors?
  /// The error in space, over the same answers as `vertical`: its median is the SEP, its p95 the
  /// SE95.
  public var spherical: ErrorSummary?
  /// The correlation of successive errors; `nil` if it is unknown.
  public var dependence: ErrorDependence?
  /// The zone detection; `nil` without zones.
  package var zones: ZoneDetection?
  /// The floor detection; `nil` outside of a building.
  package var floors: FloorDetection?
  /// The latency; `nil` if nothing was answered.
  package var latency: Latency?
  /// The answers per second, from the first to the last of each trace; `nil` if no trace has two.
  public var updateRate: Double?
  /// The coverage of ellipses in the plane; `nil` if no answer has a covariance.
  package var claims: ClaimedUncertainty?
  /// The coverage of ellipsoids in space; `nil` if no answer has one and a true height.
  package var spaceClaims: ClaimedUncertainty?
  /// The proper scores of claims in the plane; `nil` if no answer has a regular covariance.
  package var proper: ProperScores?
  /// The efficiency; `nil` if no answered question has a bound.
  package var efficiency: Efficiency?
  /// The counts and errors of each trace, in the order of the traces.
  package var traces: [TraceScore]
}

extension Score {
  /// Pools the traces of one algorithm.
  ///
  /// - Parameters:
  ///   - answers: The outcomes, one per question.
  ///   - traces: The questions; a single trace gives its own figures.
  ///   - zones: The zones; of overlapping ones the first counts.
  ///   - floors: The names of the floors, from the lowest; empty outside of a building.
  ///   - measuresLag: A Boolean value that is true to measure the lag behind the truth.
  package init(
    _ answers: AlgorithmAnswers, traces: [EvaluatedTrace], zones: [Polygon] = [],
    floors: [String] = [], bootstrap: TraceBootstrap = TraceBootstrap(), measuresLag: Bool = false
  ) {
    precondition(answers.isAbout(traces), "expected one outcome per question")
    let answered = answers.answered(traces)
    let errors = answered.map { $0.map(\.error) }
    let pooled = answered.flatMap(\.self)
    name = answers.name
    isCausal = answers.isCausal
    statistics = ErrorStatistics(
      errors: errors.flatMap(\.self), asked: traces.reduce(0) { $0 + $1.questions.count })
    intervals = ErrorIntervals(errors, bootstrap: bootstrap)
    distribution = ErrorDistribution(
      errors, asked: traces.map(\.questions.count), bootstrap: bootstrap)
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
    self.floors =
      floors.isEmpty
      ? nil : FloorDetection(answers, traces: traces, floors: floors, bootstrap: bootstrap)
    latency = Latency(pooled)
    if measuresLag {
      latency?.lag = ClockOffset(lagOf: answered, behind: traces, bootstrap: bootstrap)
    }
    updateRate = Self.updateRate(answered)
    claims = ClaimedUncertainty(answered, bootstrap: bootstrap)
    spaceClaims = ClaimedUncertainty(inSpace: answered, bootstrap: bootstrap)
    proper = ProperScores(answered, bootstrap: bootstrap)
    efficiency = Efficiency(answered, traces: traces, bootstrap: bootstrap)
    self.traces = zip(traces, errors).map { trace, errors in
      TraceScore(
        name: trace.name,
        statistics: ErrorStatistics(errors: errors, asked: trace.questions.count))
    }
  }

  /// Returns the answers per second between the first and the last answer of each trace.
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

/// The figures of one algorithm in one trace.
package struct TraceScore: Equatable, Sendable {
  /// The name of the trace.
  package var name: String
  package var statistics: ErrorStatistics
}

/// The delay between sightings and answers, in seconds.
package struct Latency: Equatable, Sendable {
  /// The number of answered questions with an earlier sighting.
  package var count: Int
  /// The median age of the newest sighting at the question's instant.
  package var medianAge: Double
  package var p95Age: Double
  /// The delay of the estimates behind the truth in addition to the requested time; `nil` unless it
  /// was requested and the truth moves.
  package var lag: ClockOffset?
}

extension Latency {
  /// Returns `nil` if nothing was answered, or the times of sightings are unknown.
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
