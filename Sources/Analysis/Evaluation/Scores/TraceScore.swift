/// One algorithm's figures in one trace.
package struct TraceScore: Equatable, Sendable {
  /// The trace.
  package var name: String
  package var statistics: ErrorStatistics
}
