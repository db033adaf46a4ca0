package import Support
package import TracePipelines
import TraceStore

/// The wishes of the user of a live engine while it works, and what the user sees of it.
package protocol LiveControl: Sendable {
  /// A Boolean value that is true if the user wants to stop.
  var isStopAsked: Bool { get }

  /// Returns true if a new file was asked for since the last call.
  func takeRotation() -> Bool

  /// Shows how a recording goes; nil clears what is shown.
  func show(_ status: RecordStatus?)
}

extension LiveControl {
  package func takeRotation() -> Bool { false }
  package func show(_ status: RecordStatus?) {}
}

/// The progress of a recording at one instant.
package struct RecordStatus: Equatable, Sendable {
  package var reportsPerSecond: Double
  package var beacons: Int
  /// Events that were lost.
  package var lost: UInt64
  /// The trace that is being written; nil where lines are.
  package var path: String?
}

/// The surroundings of a stage on a live source: those of any stage, whose members it has as well,
/// the wishes of a user, and a clock.
@dynamicMemberLookup
package struct LiveContext {
  package var stage: StageContext
  package var control: any LiveControl
  package var clock: MachineClock

  package init(_ stage: StageContext, control: any LiveControl, clock: MachineClock = .system) {
    (self.stage, self.control, self.clock) = (stage, control, clock)
  }

  package subscript<Value>(dynamicMember path: WritableKeyPath<StageContext, Value>) -> Value {
    get { stage[keyPath: path] }
    set { stage[keyPath: path] = newValue }
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
  /// The end by the monotonic clock, nanoseconds.
  private let end: Int64

  init(
    control: any LiveControl, clock: MachineClock, end: (partialValue: Int64, overflow: Bool)
  ) {
    (self.control, self.clock) = (control, clock)
    self.end = end.overflow ? .max : end.partialValue
  }

  var isStopAsked: Bool { control.isStopAsked || clock.monotonic() >= end }
  func takeRotation() -> Bool { control.takeRotation() }
  func show(_ status: RecordStatus?) { control.show(status) }
}
