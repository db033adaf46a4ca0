/// One algorithm's figures in one trace.
public struct TraceScore: Equatable, Sendable {
  /// The trace.
  public var name: String
  public var statistics: ErrorStatistics
}
