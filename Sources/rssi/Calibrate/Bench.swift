import Advertising
import Capture
import LivePipelines
import PathLoss
import Sightings
import Support
import TracePipelines
import TraceStore

/// Goes from pose to pose while a source listens, and gathers what is heard in each.
///
/// The time is the machine's; of a recording that is played again it is the recording's, so that a
/// pose has the same packets however fast it is played, and it stands still while somebody is
/// asked.
struct Bench: CaptureSink, ~Copyable {
  /// Nanoseconds between two looks at what was heard.
  static let lookPeriod: Int64 = 500_000_000

  enum Stage {
    case asking
    case countingDown(since: Int64)
    case listening(since: Int64)
  }

  let plan: BenchPlan
  /// Those that are meant; those heard in the first whole pose, where nobody named them.
  var beacons: BeaconsToCalibrate
  let precision: Double
  var recorder: Recorder?
  var screen: BenchScreen
  let enter = EnterKey()

  var intake: Intake<PoseSink>
  private var decoder = HCIEventDecoder()
  var stage = Stage.asking
  var hasAsked = false
  private var hasStarted = false
  /// Nanoseconds since the pose began.
  var nextLook: Int64 = 0
  var latest: Int64?
  /// The pose that is next, or being taken.
  var stop = 0
  var attempt = 1

  /// The trace of what was heard, once it is closed; nil where there is none.
  private(set) var recorded: RecordedFile?
  /// Poses that became whole.
  var whole = 0
  /// What a person has to know of poses that did not, and of what was lost.
  var remarks: [String] = []
  private(set) var rejected: [String: UInt64] = [:]
  private var dropped: UInt64 = 0

  /// - Parameters:
  ///   - table: empty.
  ///   - precision: half the width that the interval is wished to have, dB.
  ///   - recorder: what also takes everything, with distance and pose; nil = nothing does.
  init(
    _ plan: BenchPlan, _ beacons: BeaconsToCalibrate, into table: PoseTable, precision: Double,
    recorder: consuming Recorder?, quiet: Bool
  ) throws {
    self.plan = plan
    self.precision = precision
    self.beacons = beacons
    self.recorder = recorder
    screen = BenchScreen(quiet: quiet)
    intake = Intake(into: PoseSink(table: table))
    intake.currentTrace = try intake.trace(named: "calibrate")
  }

  var table: PoseTable { intake.sink.table }

  mutating func receive(event: Span<UInt8>, time: Int64, adapter: UInt16) throws {
    try recorder?.receive(event: event, time: time, adapter: adapter)
    try decoder.decode(event, time: time, adapter: adapter, into: &intake)
  }

  mutating func receive(_ report: AdvertisingReport, payload: Span<UInt8>) throws {
    try reach(report.time)
    try recorder?.receive(report, payload: payload)
    try intake.receive(report, payload: payload)
  }

  mutating func receive(_ sighting: NamedSighting) throws {
    try reach(sighting.time)
    try recorder?.receive(sighting)
    try intake.receive(
      beacon: sighting.beacon, measuredPower: sighting.measuredPower, adapter: sighting.adapter,
      time: sighting.time, rssi: sighting.rssi, channel: sighting.channel)
  }

  mutating func describe(adapter: UInt16, name: String, radio: Radio) throws {
    try recorder?.describe(adapter: adapter, name: name, radio: radio)
    try intake.describe(adapter: adapter, name: name, radio: radio)
  }

  mutating func started() throws {
    hasStarted = true
    try recorder?.started()
  }

  mutating func lost(_ loss: Loss) throws {
    try recorder?.lost(loss)
    dropped += loss.dropped
  }

  mutating func account(for counts: DecodingCounts) {
    recorder?.account(for: counts)
    for (reason, count) in counts.rejections {
      rejected[reason.rawValue, default: 0] += UInt64(count)
    }
  }

  mutating func reject(_ reason: String, count: UInt64) {
    recorder?.reject(reason, count: count)
    rejected[reason, default: 0] += count
  }

  mutating func note(_ text: String) { screen.say(text) }

  mutating func tick() throws -> Bool {
    guard !StopSignals.isStopAsked else { return false }
    _ = try recorder?.tick()
    if let now = plan.source.isReplay ? latest : SystemClock.monotonic, hasStarted, !isOver {
      try advance(now)
    }
    return !isOver
  }

  /// Leaves the trace as it is.
  mutating func abandonRecord() { recorder = nil }

  /// Closes the trace; what had begun and did not become whole is left out.
  mutating func finish() throws {
    screen.end()
    if case .listening = stage, !isOver {
      try intake.flush()
      leaveOut("was not complete when it ended")
    }
    if whole < plan.stops.count {
      remarks.append(
        "\(plan.stops.count - whole) of \(counted(plan.stops.count, "pose")) are missing")
    }
    if dropped > 0 { remarks.append("\(dropped) events were lost on the way from the controller") }
    for (reason, count) in decoder.counts.rejections {
      rejected[reason.rawValue, default: 0] += UInt64(count)
    }
    remarks += beacons.bystanders(in: table)
    try recorder?.finish()
    recorded = recorder?.last
    recorder = nil
  }
}
