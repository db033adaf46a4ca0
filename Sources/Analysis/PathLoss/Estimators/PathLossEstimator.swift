/// How constants are estimated from readings.
public enum PathLossEstimator: String, CaseIterable, Sendable {
  case leastSquares = "least-squares"
  /// Least squares with each reading weighed by the inverse of its variance.
  case weighted
  case huber
  case tukey
  case cauchy
  /// Maximum likelihood where it is known how many packets were missed.
  case censored
  /// Maximum likelihood where packets were missed, it is not known how many.
  case truncated

  /// Whether it needs to know what each receiver can hear.
  public var needsSensitivity: Bool { self == .censored || self == .truncated }
}
