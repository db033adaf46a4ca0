import Advertising
import Capture
import Inputs
import Recordings
import Sightings
import Support
import TracePipelines

/// Sightings of a live source on their way to events.
struct LiveWatch: CaptureSink, ~Copyable {
  private var intake: Intake<WatchedSightings>
  private var decoder = HCIEventDecoder()
  private var receivers: [UInt16: String] = [:]
  private let receiver: String?
  /// The time by which a recording is replayed; nil for a live source, whose time goes on where
  /// nothing is received.
  private let replay: ReplayTime?
  private let context: LiveContext
  /// Whether the times of reports are of this machine's clock.
  private let hasOwnTimes: Bool
  private var losses: [Gap.Reason: RecordResult.Losses] = [:]
  private var latency = LatencyHistogram()
  /// Nanoseconds that the kernel and gateways may take to hand a sighting on.
  private static let lag: Int64 = 250_000_000
  /// Milliseconds between two looks at whether a paused replay goes on.
  private static let pause: Int32 = 50

  init(
    _ watched: WatchedSightings, of source: SourceName, receiver: String?, replay: ReplayTime?,
    _ context: LiveContext
  ) throws {
    intake = Intake(into: watched, blockRows: 256)
    // The trace of a recording has the name that it has as a file.
    intake.currentTrace = try intake.trace(named: source.replayedFile.map(fileStem) ?? "live")
    hasOwnTimes = !source.isReplay && !source.isGateways
    self.receiver = receiver
    self.replay = replay
    self.context = context
  }

  mutating func receive(event: Span<UInt8>, time: Int64, adapter: UInt16) throws {
    try decoder.decode(event, time: time, adapter: adapter, into: &intake)
    try hasNew(of: time)
  }

  mutating func receive(_ report: AdvertisingReport, payload: Span<UInt8>) throws {
    try intake.receive(report, payload: payload)
    try hasNew(of: report.time)
  }

  mutating func receive(_ sighting: NamedSighting) throws {
    try intake.receive(
      beacon: sighting.beacon, measuredPower: sighting.measuredPower, adapter: sighting.adapter,
      time: sighting.time, rssi: sighting.rssi, channel: sighting.channel)
    try hasNew(of: sighting.time)
  }

  mutating func describe(adapter: UInt16, name: String, radio: Radio) throws {
    var name = name
    if let given = receiver {
      name = receivers[adapter] ?? (receivers.isEmpty ? given : "\(given)/\(name)")
    }
    receivers[adapter] = name
    try intake.describe(adapter: adapter, name: name, radio: radio)
  }

  mutating func started() throws {}

  mutating func lost(_ loss: Loss) throws {
    losses[loss.reason, default: RecordResult.Losses()].add(loss)
  }

  mutating func account(for counts: DecodingCounts) { intake.account(for: counts) }
  mutating func reject(_ reason: String, count: UInt64) { intake.reject(reason, count: count) }
  mutating func note(_ text: String) { context.log.note(text) }

  mutating func tick() throws -> Bool {
    try intake.flush()
    if replay == nil { try intake.sink.advance(to: context.clock.now() - Self.lag) }
    var goesOn = try intake.sink.output.tick()
    try context.lines?.flush()
    context.board?.publish(at: context.clock.monotonic(), takeMetrics())
    // A radio goes on while the user looks; a replay waits.
    if let replay, intake.sink.output.isPaused {
      let began = context.clock.monotonic()
      while goesOn, intake.sink.output.isPaused, !context.control.isStopAsked {
        context.clock.pause(Self.pause)
        goesOn = try intake.sink.output.tick()
      }
      replay.leaveOut(context.clock.monotonic() - began)
    }
    return goesOn && !context.control.isStopAsked
  }

  /// - Parameter isWhole: whether nothing failed.
  mutating func finish(isWhole: Bool) throws {
    try decoder.flush(into: &intake)
    try intake.flush()
    try intake.sink.finish(isWhole: isWhole)
    try context.lines?.flush()
    context.board?.publish(takeMetrics())
  }

  /// Hands on what is new at once: a program may wait for an event.
  ///
  /// - Parameter time: when it was received, by its source.
  private mutating func hasNew(of time: Int64) throws {
    let rows = intake.waitingRows
    guard context.board != nil else { return try handOn() }
    let received = hasOwnTimes ? time : context.clock.now()
    try handOn()
    latency.add(context.clock.now() &- received, count: rows)
  }

  private mutating func handOn() throws {
    try intake.flush()
    try context.lines?.flush()
  }

  private mutating func takeMetrics() -> StageMetrics {
    intake.account(for: decoder.takeCounts())
    var metrics = StageMetrics(of: intake)
    metrics.sightings = UInt64(intake.sink.taken)
    metrics.reports = UInt64(PacketFigures(intake.counts).reports)
    metrics.losses = losses.mapValues { (gaps: UInt64($0.times), events: $0.dropped) }
    metrics.latency = latency
    return metrics
  }
}
