internal import Advertising
import Sightings
import Support

/// A scanning controller, over any transport: the engine of every HCI source.
///
/// It sets the controller up, passes on every event, and monitors the scan:
///
/// - **Silence.** After `settings.silence` seconds without an advertisement, scanning is set and
///   switched on again, which costs a controller nothing; then after twice that time and so on, at
///   most a minute apart. Each time is recorded as a loss, because a failed receiver cannot be
///   distinguished from an empty room. A reset is more expensive: the third attempt in a row makes
///   one, then the sixth, the twelfth, and so on, at least one an hour. Silence alone never ends
///   the capture.
/// - **Failures** (hardware error, a reset by another program, switched off and on): set up again.
/// - **Another program's scan commands**: the scan is restored, immediately the first time, then
///   with growing pauses while the other program continues, so that the two do not compete at full
///   speed.
/// - **No answer** to a command: set up again, then reset; after three resets without an answer the
///   capture ends.
/// - **Gone**: waits for its return or ends, according to the settings.
///
/// After it returns or throws, scanning is off and the transport is closed.
struct ScanSource: CaptureSource, HCIHost, ~Copyable {
  var session: HCISession
  let settings: ScanSettings
  var scanCommands = ScanCommands.legacy
  /// A Boolean value that is true if scanning may be on and has to be stopped at the end.
  var isScanning = false
  /// A Boolean value that is true if the controller went away and has not scanned since.
  var isAway = false
  /// The pauses before attempts to reopen it.
  var reopening = Self.reopening
  static var reopening: Restraint { Restraint(first: .second / 5, limit: 2 * .second) }
  var watch: ScanWatch
  /// The latest description of the receiver at the sink.
  var described: Radio?

  /// The number of the only receiver.
  static let adapter: UInt16 = 0

  /// - Parameter transport: an open transport, which is closed at the end.
  /// - Throws: `.usage` for settings that no controller can meet.
  init(
    transport: any HCITransport, settings: ScanSettings,
    clock: MachineClock = .system
  ) throws(RSSIError) {
    try settings.check()
    session = HCISession(transport, clock: clock)
    self.settings = settings
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

  /// Passes on received events until a remedy is needed, and applies it.
  private mutating func listen<Sink: CaptureSink & ~Copyable>(into sink: inout Sink) throws {
    let state = try pump(within: 100, into: &sink)
    if state != .up { return try recover(from: state, into: &sink) }
    if let trouble = watch.trouble(at: session.clock.monotonic()) {
      try recover(from: trouble, into: &sink)
    }
  }

  /// Receives for at most a number of milliseconds and passes on every event.
  ///
  /// - Throws: `Interruption.stopped` if the sink asks to stop.
  mutating func pump<Sink: CaptureSink & ~Copyable>(
    within milliseconds: Int32, into sink: inout Sink
  ) throws -> TransportState {
    let outcome: Result<TransportState, RSSIError>
    do throws(RSSIError) {
      outcome = .success(try session.receive(within: milliseconds))
    } catch {
      outcome = .failure(error)
    }
    try handOn(to: &sink)
    if watch.isTimeForLosses(at: session.clock.monotonic()) { try handOnLosses(to: &sink) }
    guard try sink.tick() else { throw Interruption.stopped }
    return try outcome.get()
  }

  private mutating func handOn<Sink: CaptureSink & ~Copyable>(to sink: inout Sink) throws {
    guard !session.batch.isEmpty else { return }
    // A copy outside the session, because handling the events changes the session.
    var received = EventBatch()
    swap(&received, &session.batch)
    defer {
      received.removeAll()
      swap(&received, &session.batch)
    }
    if !received.others.isEmpty {
      var counts = DecodingCounts()
      for (kind, count) in received.others { counts.otherEvents.add(kind, count: count) }
      try sink.notice(.counts(counts))
    }
    let now = session.clock.monotonic()
    for event in received.events {
      let bytes = received.bytes.span.extracting(event.range)
      observe(bytes, time: event.time, monotonic: now)
      try sink.receive(event: bytes, time: event.time, adapter: Self.adapter)
    }
  }

  /// Notes an event that concerns the scan.
  private mutating func observe(_ event: Span<UInt8>, time: Int64, monotonic: Int64) {
    guard event.count > 2 else { return }
    switch event[0] {
    case 0x3E:
      if event.announcesReports { watch.heard(at: time, monotonic: monotonic) }
    case 0x0E, 0x0F:
      guard let reply = CommandReply(event: event), !session.exchange.take(reply, at: monotonic)
      else {
        return
      }
      if reply.isFinal { watch.foreignCommand(reply.opcode, at: time, monotonic: monotonic) }
    case 0x10: watch.failed(at: time, monotonic: monotonic)
    default: break
    }
  }

  /// Reports the losses of the transport since the last call.
  private mutating func handOnLosses<Sink: CaptureSink & ~Copyable>(to sink: inout Sink) throws {
    let now = session.clock.now()
    let start = watch.lossesAsked(at: now, monotonic: session.clock.monotonic())
    for loss in session.transport.takeLosses() {
      if loss.refusedBytes > 0 {
        try sink.notice(.refusal(loss.reason.rawValue, count: loss.refusedBytes))
      }
      try sink.notice(
        .loss(
          Loss(
            adapter: Self.adapter, reason: loss.reason, start: min(start, now), end: now,
            dropped: loss.dropped)))
    }
  }

  /// Restores the adapter to its former state.
  private mutating func finish<Sink: CaptureSink & ~Copyable>(into sink: inout Sink) throws {
    // Stopping may be impossible; the capture ends nevertheless.
    if isScanning { _ = session.settle(scanCommands.enable(false)) }
    isScanning = false
    defer { session.transport.close() }
    try handOnLosses(to: &sink)
  }

  // MARK: Commands

  /// Sends a command and passes on incoming events until its answer arrives.
  mutating func ask<Sink: CaptureSink & ~Copyable>(
    _ command: HCICommand, into sink: inout Sink
  ) throws -> CommandReply {
    try ask(command) { host, time in try host.pump(within: time, into: &sink) }
  }

  /// Sends a command that has to succeed.
  mutating func demand<Sink: CaptureSink & ~Copyable>(
    _ command: HCICommand, into sink: inout Sink
  ) throws {
    _ = try demand(command) { host, time in try host.pump(within: time, into: &sink) }
  }

  func refusal(of opcode: Opcode, _ status: HCIStatus) -> RSSIError {
    RSSIError(
      .protocolViolation,
      "\(session.name) refuses \(opcode): \(status); reset the controller and try again")
  }
}

extension ScanSource {
  /// Describes the receiver to the sink, as far as it is known.
  mutating func describe<Sink: CaptureSink & ~Copyable>(to sink: inout Sink) throws {
    var radio = Radio()
    radio.adapter = session.name
    radio.controller = session.identity.description
    radio.scan = settings.isActive ? "active" : "passive"
    radio.interval = Float(ScanCommands.units(settings.interval)) * 0.000625
    radio.window = Float(ScanCommands.units(settings.window)) * 0.000625
    radio.phys = ScanSettings.PHY.allCases.filter { settings.phys.contains($0) }
      .map(\.rawValue).joined(separator: ",")
    radio.rssiKind = .raw
    radio.timeKind = session.transport.timeKind
    guard radio != described else { return }
    described = radio
    try sink.notice(.receiver(adapter: Self.adapter, name: session.name, radio: radio))
  }

  /// Brings a controller from any state to scanning.
  mutating func setUp<Sink: CaptureSink & ~Copyable>(into sink: inout Sink) throws {
    if !session.transport.isManagedByKernel {
      try demand(.reset, into: &sink)
      isScanning = false
      try setEventMasks { host, time in try host.pump(within: time, into: &sink) }
    }
    try chooseCommands(into: &sink)
    try describe(to: &sink)
    if needsRandomAddress {
      try demand(.leSetRandomAddress(HCISession.staticRandomAddress()), into: &sink)
    }
    try startScanning(into: &sink)
  }

  /// A Boolean value that is true if scanning transmits and the controller has no address for that.
  private var needsRandomAddress: Bool {
    settings.isActive && session.identity.address == 0 && !session.transport.isManagedByKernel
  }

  /// Chooses the command family that fits the controller and the settings.
  private mutating func chooseCommands<Sink: CaptureSink & ~Copyable>(
    into sink: inout Sink
  ) throws {
    let identity = try identify { host, time in try host.pump(within: time, into: &sink) }
    scanCommands = identity.scanCommands
    guard settings.phys.contains(.coded) else { return }
    guard scanCommands == .extended else {
      throw RSSIError(
        .usage,
        "\(session.name) has no extended scanning, so it cannot hear the coded physical layer; "
          + "listen to 1m, or take a controller of Bluetooth 5")
    }
    guard identity.hasCodedPHY else {
      throw RSSIError(
        .usage,
        "\(session.name) cannot receive the coded physical layer; listen to 1m, or take another "
          + "controller")
    }
  }

  /// Sets the scan and switches it on; replaces another program's scan if necessary.
  mutating func startScanning<Sink: CaptureSink & ~Copyable>(into sink: inout Sink) throws {
    let parameters = scanCommands.parameters(settings, hasRandomAddress: needsRandomAddress)
    if isScanning { _ = try ask(scanCommands.enable(false), into: &sink) }
    for attempt in 0..<3 {
      if attempt > 0 {
        if attempt == 1 {
          try sink.notice(
            .message(
              "\(session.name) was scanning already, for another program such as bluetoothd or "
                + "hcitool; its scan is replaced"))
        }
        _ = try ask(scanCommands.enable(false), into: &sink)
        // Commands of the other family are disallowed too if they were used before.
        if scanCommands == .extended { _ = try ask(ScanCommands.legacy.enable(false), into: &sink) }
      }
      var refused = try status(of: parameters, into: &sink)
      if refused == nil {
        // It may scan from here on: a sink that stops at the first report never sees the answer.
        isScanning = true
        refused = try status(of: scanCommands.enable(true), into: &sink)
        isScanning = refused == nil
      }
      if refused == nil {
        if isAway {
          try sink.notice(.message("\(session.name) is back"))
          (isAway, reopening) = (false, Self.reopening)
        }
        return
      }
    }
    throw RSSIError(
      .unavailable,
      "\(session.name) refuses to scan: \(HCIStatus.commandDisallowed); another program uses it, "
        + "such as bluetoothd or hcitool: stop that one, or reset the adapter")
  }

  /// Sends a command; returns nil if it succeeded, the status if another program prevents it.
  private mutating func status<Sink: CaptureSink & ~Copyable>(
    of command: HCICommand, into sink: inout Sink
  ) throws -> HCIStatus? {
    let reply = try ask(command, into: &sink)
    if reply.status == .success { return nil }
    guard reply.status == .commandDisallowed else {
      throw refusal(of: command.opcode, reply.status)
    }
    return reply.status
  }
}
