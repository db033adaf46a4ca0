import Advertising
import Capture
import PathLoss
import Recordings
import Sightings
import Support
import TracePipelines
import TraceStore

/// Goes from pose to pose while a source listens, and gathers the sightings of each.
///
/// The time is that of the machine; for a replayed recording it is the recording's, so that a pose
/// has the same packets at any speed, and it stops while the operator is asked.
final class Bench<Person: BenchOperator>: CaptureSink {
  enum Stage {
    case asking
    case countingDown(since: Int64)
    case listening(since: Int64)
  }

  let plan: BenchPlan
  let isReplay: Bool
  let precision: Double
  let context: LiveContext
  /// The chosen beacons; those received in the first complete pose, if none was named.
  var beacons: BeaconsToCalibrate
  var recorder: Recorder?
  var person: Person

  var builder: TraceBuilder<PoseSink>
  private var decoder = HCIEventDecoder()
  var stage = Stage.asking
  var hasAsked = false
  /// A Boolean value that is true if the operator ended the bench.
  var hasQuit = false
  private var hasStarted = false
  /// The time since the pose began, in nanoseconds.
  var nextLook: Int64 = 0
  /// The latest time of the reports of a replay.
  private var latest: Int64?
  /// The number of the next pose, or of the current one.
  var stop = 0
  var attempt = 1

  /// The trace of all received sightings, once it is closed; nil without one.
  private(set) var recorded: RecordedFile?
  /// The number of complete poses.
  var completed = 0
  /// Remarks on incomplete poses, and on losses.
  var remarks: [String] = []
  private(set) var rejected: [String: UInt64] = [:]
  private var losses: [Gap.Reason: CaptureResult.Losses] = [:]

  init(
    _ request: BenchRequest, _ beacons: BeaconsToCalibrate, recorder: consuming Recorder?,
    _ context: LiveContext, by person: Person
  ) throws {
    plan = BenchPlan(request)
    isReplay = request.source.name.isReplay
    precision = request.calibration.precision
    self.context = context
    self.beacons = beacons
    self.recorder = recorder
    self.person = person
    builder = TraceBuilder(into: PoseSink(table: request.calibration.table(of: beacons)))
    builder.currentTrace = try builder.trace(named: "calibrate")
  }

  var table: PoseMeasurements { builder.sink.table }

  var isStopped: Bool { hasQuit || context.control.isStopAsked }

  func receive(event: Span<UInt8>, time: Int64, adapter: UInt16) throws {
    try recorder?.receive(event: event, time: time, adapter: adapter)
    try decoder.decode(event, time: time, adapter: adapter, into: &builder)
  }

  func receive(_ report: AdvertisingReport, payload: Span<UInt8>) throws {
    try reach(report.time)
    try recorder?.receive(report, payload: payload)
    try builder.receive(report, payload: payload)
  }

  func receive(_ sighting: GatewaySighting) throws {
    try reach(sighting.time)
    try recorder?.receive(sighting)
    try builder.receive(
      beacon: sighting.beacon, measuredPower: sighting.measuredPower, adapter: sighting.adapter,
      time: sighting.time, rssi: sighting.rssi, channel: sighting.channel)
  }

  func notice(_ notice: SourceNotice) throws {
    if case .message(let text) = notice { return person.show(.note(text)) }
    try recorder?.notice(notice)
    switch notice {
    case .receiver(let adapter, let name, let radio):
      try builder.describe(adapter: adapter, name: name, radio: radio)
    case .start: hasStarted = true
    case .loss(let loss): losses[loss.reason, default: CaptureResult.Losses()].add(loss)
    case .counts(let counts):
      for (reason, count) in counts.rejections {
        rejected[reason.rawValue, default: 0] += UInt64(count)
      }
    case .refusal(let reason, let count): rejected[reason, default: 0] += count
    case .stream, .position, .message: break
    }
  }

  /// The refused input, including the latest counts of the decoder.
  private var allRejected: [String: UInt64] {
    decoder.counts.rejections.reduce(into: rejected) { counts, refused in
      counts[refused.reason.rawValue, default: 0] += UInt64(refused.count)
    }
  }

  private var metrics: StageMetrics {
    var metrics = StageMetrics(of: builder)
    metrics.sightings = UInt64(builder.sink.count + builder.waitingRows)
    metrics.rejected?.merge(allRejected, uniquingKeysWith: +)
    metrics.losses = losses.mapValues { (gaps: UInt64($0.times), events: $0.dropped) }
    return metrics
  }

  /// Advances the time of a replay.
  private func reach(_ time: Int64) throws {
    guard isReplay else { return }
    latest = max(latest ?? time, time)
    if let latest, !isOver { try advance(latest) }
  }

  var isSaved: Bool { recorder.isSaved }

  func save() throws { try recorder?.save() }

  func tick() throws -> Bool {
    context.board?.publish(at: context.clock.monotonic(), metrics)
    guard !isStopped else { return false }
    _ = try recorder?.tick()
    if let now = isReplay ? latest : context.clock.monotonic(), hasStarted, !isOver {
      try advance(now)
    }
    return !isOver
  }

  /// Leaves the trace as it is.
  func abandonRecord() { recorder = nil }

  /// Closes the trace; an incomplete pose is left out.
  func finish() throws {
    person.show(.finished)
    if case .listening = stage, !isOver {
      try builder.flush()
      leaveOut("was not complete when it ended")
    }
    if completed < plan.stops.count {
      remarks.append(
        "\(plan.stops.count - completed) of \(counted(plan.stops.count, "pose")) are missing")
    }
    let dropped = losses.values.reduce(0) { $0 + $1.dropped }
    if dropped > 0 { remarks.append("\(dropped) events were lost on the way from the controller") }
    rejected = allRejected
    remarks += beacons.bystanders(in: table)
    try recorder?.finish()
    recorded = recorder?.last
    recorder = nil
  }
}

/// A sink that passes sightings into a table of poses.
struct PoseSink: SightingSink {
  var table: PoseMeasurements
  /// The number of sightings so far.
  private(set) var count = 0

  init(table: PoseMeasurements) { self.table = table }

  mutating func append(
    _ rows: SightingColumns, payloads: NewPayloads, catalogue: Catalogue
  ) throws {
    table.add(rows, catalogue)
    count += rows.count
  }
}
