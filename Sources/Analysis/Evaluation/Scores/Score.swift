public import Positioning

/// One algorithm's line of a leaderboard: plain data. Lengths in metres, times in seconds.
public struct Score: Equatable, Sendable {
  /// The algorithm as it was named, with its parameters.
  public var name: String
  /// Whether it used nothing later than each question's instant.
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
  /// How much successive errors resemble each other; nil where that is not known.
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
