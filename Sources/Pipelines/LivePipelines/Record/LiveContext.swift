package import Support
package import TracePipelines
package import TraceStore

/// What the user of a live engine asks of it while it works, and sees of it.
package protocol LiveControl: Sendable {
  /// Whether to stop.
  var isStopAsked: Bool { get }

  /// Withdraws the request to stop, so that it can be made again for what follows.
  func withdrawStop()

  /// Whether a new file was asked for since the last call.
  func takeRotation() -> Bool

  /// Shows how a recording goes; nil clears what is shown.
  func show(_ status: RecordStatus?)
}

extension LiveControl {
  package func withdrawStop() {}
  package func takeRotation() -> Bool { false }
  package func show(_ status: RecordStatus?) {}
}

/// How a recording goes at one instant.
package struct RecordStatus: Equatable, Sendable {
  package var reportsPerSecond: Double
  package var beacons: Int
  /// Events that were lost.
  package var lost: UInt64
  /// The trace that is being written; nil where lines are.
  package var path: String?
}

/// What surrounds a live engine.
package struct LiveContext {
  /// Who writes the files.
  package var tool: ToolIdentity
  package var control: any LiveControl
  package var log: any ActivityLog
  /// Where sightings go that are written as lines; nil discards them.
  package var lines: (any LineWriter)?
  package var clock: MachineClock
  /// Where an engine publishes how it goes; nil where that is not asked for.
  package var board: MetricsBoard?

  package init(
    tool: ToolIdentity, control: any LiveControl, log: any ActivityLog,
    lines: (any LineWriter)? = nil, clock: MachineClock = .system
  ) {
    (self.tool, self.control, self.log) = (tool, control, log)
    (self.lines, self.clock) = (lines, clock)
  }

  /// The same, which also asks to stop when a time has passed.
  ///
  /// - Parameter duration: nanoseconds from now on; nil = no end.
  package func ending(after duration: Int64?) -> LiveContext {
    guard let duration else { return self }
    var context = self
    context.control = TimedControl(
      control: control, clock: clock, end: clock.monotonic().addingReportingOverflow(duration))
    return context
  }
}

/// The wishes of a user, and the time to stop.
private struct TimedControl: LiveControl {
  private let control: any LiveControl
  private let clock: MachineClock
  /// By the monotonic clock, nanoseconds.
  private let end: Int64

  init(
    control: any LiveControl, clock: MachineClock, end: (partialValue: Int64, overflow: Bool)
  ) {
    (self.control, self.clock) = (control, clock)
    self.end = end.overflow ? .max : end.partialValue
  }

  var isStopAsked: Bool { control.isStopAsked || clock.monotonic() >= end }
  func withdrawStop() { control.withdrawStop() }
  func takeRotation() -> Bool { control.takeRotation() }
  func show(_ status: RecordStatus?) { control.show(status) }
}
