import Advertising
import Capture
import Recordings
import Sightings
import Support
import TracePipelines

/// A receiver of the sightings of a live source as they arrive, such as a watch.
protocol LiveStage: ForgettingSink {
  /// Does the work that is due by time; returns false if the stage has ended.
  mutating func tick() throws -> Bool

  /// Ends open work when the source has ended.
  ///
  /// - Parameter isWhole: true if nothing failed.
  mutating func finish(isWhole: Bool) throws

  /// Adds its counts to metrics.
  func report(to metrics: inout StageMetrics)
}

/// A sink that passes the sightings of a live source to a stage.
struct LiveSightings<Stage: LiveStage>: CaptureSink, ~Copyable {
  private var builder: TraceBuilder<Stage>
  private var decoder = HCIEventDecoder()
  private var receivers: [UInt16: String] = [:]
  private let receiver: String?
  private let context: LiveContext
  /// A Boolean value that is true if the times of reports are of this machine's clock.
  private let hasOwnTimes: Bool
  private var losses: [Gap.Reason: CaptureResult.Losses] = [:]
  private var latency = LatencyHistogram()
  /// The number of rows that were passed on, if metrics are requested.
  private var received = 0

  init(
    _ stage: Stage, of source: SourceName, receiver: String?, _ context: LiveContext
  ) throws {
    builder = TraceBuilder(into: stage, blockRows: 256, keeping: beaconsKeptLive)
    // The trace of a replayed recording keeps its name.
    builder.currentTrace = try builder.trace(named: source.replayedFile.map(fileStem) ?? "live")
    hasOwnTimes = !source.isReplay && !source.isGateways
    self.receiver = receiver
    self.context = context
  }

  /// Listens until the source ends or the stage wants no more.
  ///
  /// - Parameter clock: the clock by which a recording is replayed.
  mutating func listen(to source: SourceRequest, clock: MachineClock) throws {
    do {
      try source.listen(into: &self, clock: clock)
    } catch {
      try finish(isWhole: false)
      throw error
    }
    try finish(isWhole: true)
  }

  mutating func receive(event: Span<UInt8>, time: Int64, adapter: UInt16) throws {
    try decoder.decode(event, time: time, adapter: adapter, into: &builder)
    try hasNew(of: time)
  }

  mutating func receive(_ report: AdvertisingReport, payload: Span<UInt8>) throws {
    try builder.receive(report, payload: payload)
    try hasNew(of: report.time)
  }

  mutating func receive(_ sighting: GatewaySighting) throws {
    try builder.receive(
      beacon: sighting.beacon, measuredPower: sighting.measuredPower, adapter: sighting.adapter,
      time: sighting.time, rssi: sighting.rssi, channel: sighting.channel, angle: sighting.angle)
    try hasNew(of: sighting.time)
  }

  mutating func notice(_ notice: SourceNotice) throws {
    switch notice {
    case .receiver(let adapter, let name, let radio):
      var name = name
      if let given = receiver {
        name = receivers[adapter] ?? (receivers.isEmpty ? given : "\(given)/\(name)")
      }
      receivers[adapter] = name
      try builder.describe(adapter: adapter, name: name, radio: radio)
    case .loss(let loss): losses[loss.reason, default: CaptureResult.Losses()].add(loss)
    case .counts(let counts): builder.account(for: counts)
    case .refusal(let reason, let count): builder.reject(reason, count: count)
    case .message(let text): context.log.note(text)
    // Places in a stream are not kept without a recording.
    case .stream, .position, .start: break
    }
  }

  var isSaved: Bool { true }
  mutating func save() throws {}

  mutating func tick() throws -> Bool {
    try builder.flush()
    if let text = builder.takeLevelWarning() { context.log.warn(text) }
    let goesOn = try builder.sink.tick()
    try context.lines?.flush()
    context.board?.publish(at: context.clock.monotonic(), takeMetrics())
    return goesOn && !context.control.isStopAsked
  }

  /// Ends open work; `listen` does so itself.
  mutating func finish(isWhole: Bool) throws {
    try decoder.flush(into: &builder)
    try builder.flush()
    // The last output of a stage includes everything that was received.
    context.board?.publish(takeMetrics())
    try builder.sink.finish(isWhole: isWhole)
    try context.lines?.flush()
    context.board?.publish(takeMetrics())
  }

  /// Passes on new rows at once, because a program may wait for an event.
  ///
  /// - Parameter time: the time of reception, by the source.
  private mutating func hasNew(of time: Int64) throws {
    let rows = builder.waitingRows
    guard context.board != nil else { return try handOn() }
    let arrival = hasOwnTimes ? time : context.clock.now()
    try handOn()
    latency.add(context.clock.now() &- arrival, count: rows)
    received += rows
  }

  private mutating func handOn() throws {
    try builder.flush()
    builder.forgetThoseThatLeft()
    try context.lines?.flush()
  }

  private mutating func takeMetrics() -> StageMetrics {
    builder.account(for: decoder.takeCounts())
    var metrics = StageMetrics(of: builder)
    // A replayed recording accounts for its reports at its end.
    metrics.reports = UInt64(
      PacketFigures(builder.counts, sightings: received, leftOut: 0).reports)
    metrics.losses = losses.mapValues { (gaps: UInt64($0.times), events: $0.dropped) }
    metrics.latency = latency
    builder.sink.report(to: &metrics)
    return metrics
  }
}
