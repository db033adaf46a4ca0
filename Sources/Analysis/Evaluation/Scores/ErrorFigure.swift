/// A figure that states in one number how large errors are: what algorithms are ranked and compared
/// by.
public enum ErrorFigure: String, CaseIterable, Equatable, Sendable {
  case mean
  case median
  case p75
  case p95

  /// The figure of a summary, in metres.
  public func of(_ summary: ErrorSummary) -> Double {
    switch self {
    case .mean: summary.mean
    case .median: summary.median
    case .p75: summary.p75
    case .p95: summary.p95
    }
  }
}
