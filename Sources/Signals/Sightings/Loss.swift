public import Advertising

/// What takes a recording: its reports, and what it states was lost.
public protocol RecordingSink: ReportSink, ~Copyable {
  /// Takes a time in which something was lost.
  mutating func lost(_ loss: Loss) throws
}

/// A time in which a receiver lost something, or may have.
public struct Loss: Equatable, Sendable {
  public var adapter: UInt16
  public var reason: Gap.Reason
  /// Nanoseconds since the Unix epoch.
  public var start: Int64
  public var end: Int64
  /// Events known to be lost; 0 where no one can count them.
  public var dropped: UInt64

  public init(adapter: UInt16, reason: Gap.Reason, start: Int64, end: Int64, dropped: UInt64 = 0) {
    self.adapter = adapter
    self.reason = reason
    self.start = start
    self.end = end
    self.dropped = dropped
  }
}
