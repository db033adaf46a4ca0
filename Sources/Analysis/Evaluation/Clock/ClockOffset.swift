/// By how much one clock differs from another, as told from estimates and the truth. Times in
/// seconds.
public struct ClockOffset: Equatable, Sendable {
  /// What to add to the times of the truth so that it fits the estimates best: positive where the
  /// estimates are behind the truth.
  public var offset: Double
  /// Confidence interval over traces.
  public var interval: IntervalOutcome
  /// RMS error without and with the offset, in metres.
  public var rmsBefore: Double
  public var rmsAfter: Double
  /// Whether the best offset is at the end of what was tried: the true one may be beyond.
  public var isAtTheEnd: Bool
}
