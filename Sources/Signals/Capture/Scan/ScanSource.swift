internal import Advertising
import Sightings
package import Support

/// A controller that is made to scan, over any way to it: the engine of every HCI source.
///
/// It sets the controller up, hands on every event, and watches whether scanning still works:
///
/// - **Silence.** After `settings.silence` seconds without an advertisement, scanning is set and
///   switched on again, which costs a controller nothing; then after twice that time and so on, at
///   most a minute apart. Each time is recorded as a loss, because a deaf radio cannot be
///   distinguished from an empty room. A reset is dearer: the third attempt in a row makes one, then the sixth,
///   the twelfth, and so on, at least one an hour. Silence alone never ends the capture.
/// - **Failures** (hardware error, a reset by another program, switched off and on): set up again.
/// - **Another program's scan commands**: the scan is taken back, at once the first time, then ever
///   more slowly while the other keeps on, so that two programs do not fight at full speed.
/// - **No answer** to a command: set up again, then reset; after three resets without an answer the
///   capture ends.
/// - **Gone**: waits for its return or ends, as the settings state.
///
/// When it returns or throws, scanning is off and the transport is closed.
struct ScanSource<Transport: HCITransport & ~Copyable>: CaptureSource, ~Copyable {
  var transport: Transport
  let settings: ScanSettings
  /// What the receiver is called in the file.
  let receiver: String
  let adapter: UInt16
  let clock: MachineClock

  var batch = EventBatch()
  var identity = ControllerIdentity()
  var scanCommands = ScanCommands.legacy
  /// Whether scanning may be on and has to be switched off in the end.
  var isScanning = false
  /// Whether the controller went away and has not scanned since.
  var isAway = false
  /// Pauses before it is opened again.
  var reopening = Self.reopening
  static var reopening: Restraint { Restraint(first: .second / 5, limit: 2 * .second) }
  var exchange = CommandExchange()
  var watch: ScanWatch
  /// What the sink was informed of the receiver.
  var described: Radio?

  /// - Parameters:
  ///   - transport: an open way to the controller, which is closed in the end.
  ///   - name: what the receiver is called; the transport's name unless given.
  ///   - adapter: the number of the receiver.
  /// - Throws: `.usage` where the settings ask for what no controller can do.
  init(
    transport: consuming Transport, settings: ScanSettings, name: String? = nil,
    adapter: UInt16 = 0, clock: MachineClock = .system
  ) throws(RSSIError) {
    try settings.check()
    receiver = name ?? transport.name
    self.transport = transport
    self.settings = settings
    self.adapter = adapter
    self.clock = clock
    watch = ScanWatch(silence: settings.silence, time: clock.now(), monotonic: clock.monotonic())
  }

  mutating func run<Sink: CaptureSink & ~Copyable>(into sink: inout Sink) throws {
    do {
      try describe(to: &sink)
      try beginScanning(into: &sink)
      try sink.notice(.start)
      while true { try listen(into: &sink) }
    } catch Interruption.stopped {
      try finish(into: &sink)
    } catch Interruption.over(let error) {
      try? finish(into: &sink)
      throw error
    } catch {
      try? finish(into: &sink)
      throw error
    }
  }

  /// Hands on what is received, until something has to be done, and does it.
  private mutating func listen<Sink: CaptureSink & ~Copyable>(into sink: inout Sink) throws {
    let state = try pump(within: 100, into: &sink)
    if state != .up { return try recover(from: state, into: &sink) }
    if let trouble = watch.trouble(at: clock.monotonic()) {
      try recover(from: trouble, into: &sink)
    }
  }

  /// Receives for so long at most and hands on every event.
  ///
  /// - Throws: `Interruption.stopped` where the sink wants no more.
  mutating func pump<Sink: CaptureSink & ~Copyable>(
    within milliseconds: Int32, into sink: inout Sink
  ) throws -> TransportState {
    let outcome: Result<TransportState, RSSIError>
    do throws(RSSIError) {
      outcome = .success(try transport.receive(into: &batch, within: milliseconds))
    } catch {
      outcome = .failure(error)
    }
    try handOn(to: &sink)
    if watch.isTimeForLosses(at: clock.monotonic()) { try handOnLosses(to: &sink) }
    guard try sink.tick() else { throw Interruption.stopped }
    return try outcome.get()
  }

  private mutating func handOn<Sink: CaptureSink & ~Copyable>(to sink: inout Sink) throws {
    guard !batch.isEmpty else { return }
    // Out of self, since what looks at the events changes it.
    var received = EventBatch()
    swap(&received, &batch)
    defer {
      received.removeAll()
      swap(&received, &batch)
    }
    if !received.others.isEmpty {
      var counts = DecodingCounts()
      for (kind, count) in received.others { counts.otherEvents.add(kind, count: count) }
      try sink.notice(.counts(counts))
    }
    let now = clock.monotonic()
    for event in received.events {
      let bytes = received.bytes.span.extracting(event.range)
      observe(bytes, time: event.time, monotonic: now)
      try sink.receive(event: bytes, time: event.time, adapter: adapter)
    }
  }

  /// Looks at an event for what concerns the scan.
  private mutating func observe(_ event: Span<UInt8>, time: Int64, monotonic: Int64) {
    guard event.count > 2 else { return }
    switch event[0] {
    case 0x3E:
      if event.announcesReports { watch.heard(at: time, monotonic: monotonic) }
    case 0x0E, 0x0F:
      guard let reply = CommandReply(event: event), !exchange.take(reply, at: monotonic) else {
        return
      }
      if reply.isFinal { watch.foreignCommand(reply.opcode, at: time, monotonic: monotonic) }
    case 0x10: watch.failed(at: time, monotonic: monotonic)
    default: break
    }
  }

  /// Shows what the transport lost since it was last asked.
  private mutating func handOnLosses<Sink: CaptureSink & ~Copyable>(to sink: inout Sink) throws {
    let now = clock.now()
    let start = watch.lossesAsked(at: now, monotonic: clock.monotonic())
    for loss in transport.takeLosses() {
      if loss.refusedBytes > 0 {
        try sink.notice(.refusal(loss.reason.rawValue, count: loss.refusedBytes))
      }
      try sink.notice(
        .loss(
          Loss(
            adapter: adapter, reason: loss.reason, start: min(start, now), end: now,
            dropped: loss.dropped)))
    }
  }

  /// Leaves the adapter as it was found.
  private mutating func finish<Sink: CaptureSink & ~Copyable>(into sink: inout Sink) throws {
    if isScanning { stopScanning() }
    defer { transport.close() }
    try handOnLosses(to: &sink)
  }
}

/// What keeps the engine from what it was about.
enum Interruption: Error, Equatable {
  /// The sink wants no more.
  case stopped
  /// The controller did not answer a command in time.
  case unanswered(Opcode)
  /// The controller is not up any more.
  case transport(TransportState)
  /// It will not be waited for any longer.
  case over(RSSIError)
}

extension ScanSource: HCIHost where Transport: ~Copyable {
  mutating func transmit(_ command: HCICommand) throws(RSSIError) {
    try transport.send(command.bytes)
  }

  mutating func receive(within milliseconds: Int32) throws(RSSIError) -> TransportState {
    try transport.receive(into: &batch, within: milliseconds)
  }

  /// Gives a command and hands on what is received until its answer is there.
  ///
  /// - Returns: the answer, whatever its status.
  /// - Throws: `Interruption` where no answer comes.
  mutating func ask<Sink: CaptureSink & ~Copyable>(
    _ command: HCICommand, into sink: inout Sink
  ) throws -> CommandReply {
    try converse(command) { host, time throws in try host.pump(within: time, into: &sink) }
  }

  /// Gives a command that has to succeed.
  ///
  /// - Throws: `RSSIError` where the controller refuses it.
  @discardableResult
  mutating func demand<Sink: CaptureSink & ~Copyable>(
    _ command: HCICommand, into sink: inout Sink
  ) throws -> CommandReply {
    let reply = try ask(command, into: &sink)
    guard reply.status == .success else { throw refusal(of: command.opcode, reply.status) }
    return reply
  }

  func refusal(of opcode: Opcode, _ status: HCIStatus) -> RSSIError {
    RSSIError(
      .protocolViolation,
      "\(transport.name) refuses \(opcode): \(status); reset the controller and try again")
  }

  /// Switches scanning off and waits a moment for the answer, without the sink: the capture is
  /// over.
  mutating func stopScanning() {
    isScanning = false
    // It may be impossible to ask it to stop; the capture ends all the same.
    _ = settle(scanCommands.enable(false))
    batch.removeAll()
  }
}

/// An adapter through raw sockets, beside whatever else uses it; opened, and up, when this returns.
///
/// - Parameters:
///   - index: its number, 0 for `hci0`; nil = the first that there is.
///   - name: what the receiver is called; the adapter's own name unless given.
/// - Throws: `RSSIError`: `.unavailable` with a list of the adapters, `.permission` with the
///   command that grants it, `.usage` where no controller can scan as asked.
package func hciSource(
  index: UInt16? = nil, settings: ScanSettings = ScanSettings(), name: String? = nil
) throws(RSSIError) -> some CaptureSource & ~Copyable {
  try ScanSource(transport: RawSocketTransport(index: index), settings: settings, name: name)
}

/// An adapter for this program alone, through the kernel's user channel; taken when this returns,
/// and given back, up where it was up, when the source ends.
///
/// - Parameters: as in `hciSource`.
/// - Throws: `RSSIError`: `.unavailable` also where another program has it.
package func userChannelSource(
  index: UInt16, settings: ScanSettings = ScanSettings(), name: String? = nil
) throws(RSSIError) -> some CaptureSource & ~Copyable {
  try ScanSource(transport: UserChannelTransport(index: index), settings: settings, name: name)
}

/// A controller that speaks HCI over H4 at the end of a socket or a serial line, made to scan.
///
/// - Parameters:
///   - address: `tcp:HOST:PORT`, `unix:PATH` or `/dev/ttyX[:BAUD]`, see `H4Address`.
///   - settings: how to scan, and whether to wait where no one is there yet.
///   - name: what the receiver is called; the address unless given.
/// - Throws: `RSSIError`: `.usage`, `.unavailable`, `.permission`.
package func h4Source(
  _ address: String, settings: ScanSettings = ScanSettings(), name: String? = nil
) throws(RSSIError) -> some CaptureSource & ~Copyable {
  try settings.check()
  let transport = try StreamTransport(H4Address(address), waits: settings.waitsForAdapter)
  return try ScanSource(transport: transport, settings: settings, name: name)
}
