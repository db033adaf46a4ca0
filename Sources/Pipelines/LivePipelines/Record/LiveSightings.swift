import Advertising
import Capture
import Recordings
import Sightings
import Support
import TracePipelines

/// A receiver of the sightings of a live source as they come, such as a watch.
protocol LiveStage: ForgettingSink {
  /// Does what is due by time; false where it has ended.
  mutating func tick() throws -> Bool

  /// Ends what is open when the source has ended.
  ///
  /// - Parameter isWhole: whether nothing failed.
  mutating func finish(isWhole: Bool) throws

  /// Adds what it counted.
  func report(to metrics: inout StageMetrics)
}

/// Sightings of a live source on their way to a stage.
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
  /// Rows that were handed on, where metrics are asked for.
  private var received = 0

  init(
    _ stage: Stage, of source: SourceName, receiver: String?, _ context: LiveContext
  ) throws {
    builder = TraceBuilder(into: stage, blockRows: 256, keeping: beaconsKeptLive)
    // The trace of a recording has the name that it has as a file.
    builder.currentTrace = try builder.trace(named: source.replayedFile.map(fileStem) ?? "live")
    hasOwnTimes = !source.isReplay && !source.isGateways
    self.receiver = receiver
    self.context = context
  }

  /// Listens until the source ends or the stage wants no more.
  ///
  /// - Parameter clock: by which a recording is replayed.
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
      time: sighting.time, rssi: sighting.rssi, channel: sighting.channel)
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
    // No place in a stream is kept of what is not recorded.
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

  /// Ends what is open; `listen` does so itself.
  mutating func finish(isWhole: Bool) throws {
    try decoder.flush(into: &builder)
    try builder.flush()
    // What a stage shows at its end has all that was received.
    context.board?.publish(takeMetrics())
    try builder.sink.finish(isWhole: isWhole)
    try context.lines?.flush()
    context.board?.publish(takeMetrics())
  }

  /// Hands on what is new at once: a program may wait for an event.
  ///
  /// - Parameter time: when it was received, by its source.
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
    // A recording that is replayed accounts for its reports at its end.
    metrics.reports = UInt64(
      PacketFigures(builder.counts, sightings: received, leftOut: 0).reports)
    metrics.losses = losses.mapValues { (gaps: UInt64($0.times), events: $0.dropped) }
    metrics.latency = latency
    builder.sink.report(to: &metrics)
    return metrics
  }
}
