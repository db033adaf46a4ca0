/// By how much one clock differs from another, as stated from estimates and the truth. Times in
/// seconds.
package struct ClockOffset: Equatable, Sendable {
  /// What to add to the times of the truth so that it fits the estimates best: positive where the
  /// estimates are behind the truth.
  package var offset: Double
  /// Confidence interval over traces.
  package var interval: IntervalOutcome
  /// RMS error without and with the offset, in metres.
  package var rmsBefore: Double
  package var rmsAfter: Double
  /// Whether the best offset is at the end of what was tried: the true one may be beyond.
  package var isAtTheEnd: Bool
}
