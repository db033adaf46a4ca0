public import Advertising

/// A time in which a receiver lost something, or may have.
public struct Gap: Equatable, Sendable {
  /// The start of the gap, in nanoseconds since the Unix epoch.
  public var start: Int64
  /// The end of the gap, in nanoseconds since the Unix epoch.
  public var end: Int64
  /// The row of the receiver in the catalogue.
  public var receiver: UInt16
  /// The reason of the gap.
  public var reason: Reason
  /// Events known to be lost; 0 where no one can count them.
  public var dropped: UInt64

  /// Creates a gap; times are in nanoseconds since the Unix epoch.
  public init(start: Int64, end: Int64, receiver: UInt16, reason: Reason, dropped: UInt64) {
    self.start = start
    self.end = end
    self.receiver = receiver
    self.reason = reason
    self.dropped = dropped
  }

  /// The most gaps of a trace, which a reader has all in memory.
  package static let most = 1 << 20

  /// The reason why a receiver lost something.
  public enum Reason: String, CaseIterable, Sendable {
    /// Nothing was heard for so long that scanning was set up again.
    case silence
    /// The controller failed and was reset, with scanning off meanwhile.
    case reset
    /// More events than could be read; the kernel threw the rest away.
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

/// A receiver of a recording: of its reports, and of what it states was lost.
public protocol RecordingSink: ReportSink, ~Copyable {
  /// Takes a time in which something was lost.
  mutating func lost(_ loss: Loss) throws
}

/// A time in which a receiver lost something, or may have.
public struct Loss: Equatable, Sendable {
  /// The index of the adapter that lost something.
  public var adapter: UInt16
  /// The reason of the loss.
  public var reason: Gap.Reason
  /// The start of the loss, in nanoseconds since the Unix epoch.
  public var start: Int64
  /// The end of the loss, in nanoseconds since the Unix epoch.
  public var end: Int64
  /// Events known to be lost; 0 where no one can count them.
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
