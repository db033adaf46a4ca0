public import Support
public import TracePipelines
import TraceStore

/// The controls of a running live stage: the requests of its user, and the display of its progress.
public protocol LiveControl: Sendable {
  /// A Boolean value that is true if the user wants to stop.
  var isStopAsked: Bool { get }

  /// Returns true if a new file was requested since the last call.
  func takeRotation() -> Bool

  /// Shows the progress of a recording; nil clears it.
  func show(_ status: RecordStatus?)
}

extension LiveControl {
  public func takeRotation() -> Bool { false }
  public func show(_ status: RecordStatus?) {}
}

/// The progress of a recording at one instant.
public struct RecordStatus: Equatable, Sendable {
  /// The rate of received reports, per second.
  public var reportsPerSecond: Double
  /// The number of different beacons.
  public var beacons: Int
  /// The number of lost events.
  public var lost: UInt64
  /// The trace that is being written; nil if lines are written.
  public var path: String?
}

/// The context of a stage on a live source: that of any stage, whose members it has as well, the
/// requests of a user, and a clock.
@dynamicMemberLookup
public struct LiveContext {
  /// The context that all stages have.
  public var stage: StageContext
  /// The requests of the user.
  public var control: any LiveControl
  /// The clock that the stage reads.
  public var clock: MachineClock

  /// Creates the surroundings of a live stage.
  public init(_ stage: StageContext, control: any LiveControl, clock: MachineClock = .system) {
    (self.stage, self.control, self.clock) = (stage, control, clock)
  }

  /// Accesses a member of ``stage``.
  public subscript<Value>(dynamicMember path: WritableKeyPath<StageContext, Value>) -> Value {
    get { stage[keyPath: path] }
    set { stage[keyPath: path] = newValue }
  }

  /// Returns the same context, which also asks to stop when a time has passed.
  ///
  /// - Parameter duration: the time from now on; nil = no end.
  public func ending(after duration: Duration?) -> LiveContext {
    guard let duration else { return self }
    var context = self
    context.control = TimedControl(
      control: control, clock: clock,
      end: clock.monotonic().addingReportingOverflow(duration.nanoseconds))
    return context
  }
}

/// The requests of a user, and the time to stop.
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
