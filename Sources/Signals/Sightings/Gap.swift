public import Advertising

/// A period in which a receiver lost something, or may have.
public struct Gap: Equatable, Sendable {
  /// The start of the gap, in nanoseconds since the Unix epoch.
  public var start: Int64
  /// The end of the gap, in nanoseconds since the Unix epoch.
  public var end: Int64
  /// The row of the receiver in the catalogue.
  public var receiver: UInt16
  /// The reason of the gap.
  public var reason: Reason
  /// The number of events known to be lost; 0 if it is unknown.
  public var dropped: UInt64

  /// Creates a gap; times are in nanoseconds since the Unix epoch.
  public init(start: Int64, end: Int64, receiver: UInt16, reason: Reason, dropped: UInt64) {
    self.start = start
    self.end = end
    self.receiver = receiver
    self.reason = reason
    self.dropped = dropped
  }

  /// The largest number of gaps in a trace, which a reader keeps in memory.
  package static let most = 1 << 20

  /// The reason why a receiver lost something.
  public enum Reason: String, CaseIterable, Sendable {
    /// The silence was so long that scanning was restarted.
    case silence
    /// The controller failed and was reset, with scanning off meanwhile.
    case reset
    /// More events than could be read; the kernel dropped the rest.
    case overflow
    /// The adapter was unplugged, or switched off.
    case unplugged
    /// Another program changed the scan.
    case interference
    /// Bytes that are not packets came from a serial line.
    case lineNoise = "line-noise"
    /// The broker was out of reach.
    case disconnected
    /// The clock of the machine was set.
    case clockStep = "clock-step"
  }
}

/// A sink for the reports of a recording, and for its losses.
public protocol RecordingSink: ReportSink, ~Copyable {
  /// Receives a period of loss.
  mutating func lost(_ loss: Loss) throws
}

/// A period in which a receiver lost something, or may have.
public struct Loss: Equatable, Sendable {
  /// The index of the adapter that lost something.
  public var adapter: UInt16
  /// The reason of the loss.
  public var reason: Gap.Reason
  /// The start of the loss, in nanoseconds since the Unix epoch.
  public var start: Int64
  /// The end of the loss, in nanoseconds since the Unix epoch.
  public var end: Int64
  /// The number of events known to be lost; 0 if it is unknown.
  public var dropped: UInt64

  /// Creates a loss; times are in nanoseconds since the Unix epoch.
  public init(adapter: UInt16, reason: Gap.Reason, start: Int64, end: Int64, dropped: UInt64 = 0) {
    self.adapter = adapter
    self.reason = reason
    self.start = start
    self.end = end
    self.dropped = dropped
  }
}
