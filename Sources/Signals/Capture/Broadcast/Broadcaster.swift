import Advertising
import Support

/// A controller that is made to advertise, over any way to it.
///
/// It sets the controller up, hands it new advertising data when the delegate has some, and watches
/// whether it goes on:
///
/// - **Failures** (hardware error, a reset by another program, switched off and on): set up again.
/// - **Another program's commands** that may have ended it: begun again, ever more slowly while the
///   other keeps on.
/// - **No answer** to a command, of which it gets one every ten seconds: set up again, then reset;
///   then the broadcast ends.
/// - **Switched off** for ten seconds, or **gone**: the broadcast ends.
///
/// When it returns or throws, advertising is off and the transport is closed.
struct Broadcaster<Transport: HCITransport & ~Copyable>: Broadcast, ~Copyable {
  var transport: Transport
  let settings: BroadcastSettings
  let clock: MachineClock

  var batch = EventBatch()
  var exchange = CommandExchange()
  var watch: BroadcastWatch
  var identity = ControllerIdentity()
  var commands = BroadcastCommands.legacy
  /// The static random address that it sends from; nil = the controller's own.
  var randomAddress: UInt64?
  /// What the controller was given to send.
  var data: [UInt8] = []
  /// Whether advertising may be on, and whether the controller holds its set: to be undone in the
  /// end.
  var mayAdvertise = false
  var holdsSet = false
  /// Whether it advertised before.
  var hasBegun = false

  /// - Throws: `.usage` where the settings ask for what no controller can do.
  init(
    transport: consuming Transport, settings: BroadcastSettings, clock: MachineClock = .system
  ) throws(RSSIError) {
    try settings.check()
    self.transport = transport
    self.settings = settings
    self.clock = clock
    watch = BroadcastWatch(monotonic: clock.monotonic())
    switch settings.address {
    case .own: break
    case .random: randomAddress = Self.staticRandomAddress()
    case .fixed(let bits): randomAddress = bits
    }
  }

  mutating func run<Delegate: BroadcastDelegate & ~Copyable>(for delegate: inout Delegate) throws {
    defer { finish() }
    do {
      try bringBack(from: .up, for: &delegate)
      while true { try attend(to: &delegate) }
    } catch Interruption.stopped {
      return
    } catch Interruption.over(let error) {
      throw error
    }
  }

  /// Waits a moment, and does what has to be done.
  private mutating func attend<Delegate: BroadcastDelegate & ~Copyable>(
    to delegate: inout Delegate
  ) throws {
    do {
      let state = try pump(within: 50, for: &delegate)
      guard state == .up else { throw Interruption.transport(state) }
      let now = clock.monotonic()
      if let incident = watch.incident(at: now) {
        try remedy(incident, for: &delegate)
        watch.remedied(incident, at: now)
      }
      let wanted = delegate.advertisingData()
      if wanted != data { try send(wanted, for: &delegate) }
    } catch Interruption.transport(let state) {
      try bringBack(from: state, for: &delegate)
      delegate.note(
        "\(transport.name) was reset, or switched off and on; advertising is begun again")
    } catch Interruption.unanswered(let opcode) {
      delegate.note("\(transport.name) does not answer \(opcode); it is set up again")
      try bringBack(from: .up, for: &delegate)
    }
  }

  /// Receives for so long at most and looks at every event.
  ///
  /// - Throws: `Interruption.stopped` where the delegate wants no more.
  mutating func pump<Delegate: BroadcastDelegate & ~Copyable>(
    within milliseconds: Int32, for delegate: inout Delegate
  ) throws -> TransportState {
    batch.removeAll()
    let state = try transport.receive(into: &batch, within: milliseconds)
    // Out of self, since what looks at the events changes it.
    var received = EventBatch()
    swap(&received, &batch)
    for event in received.events {
      observe(received.bytes.span.extracting(event.range), at: clock.monotonic())
    }
    swap(&received, &batch)
    guard try delegate.tick() else { throw Interruption.stopped }
    return state
  }

  /// Looks at an event for what concerns the broadcast.
  private mutating func observe(_ event: Span<UInt8>, at monotonic: Int64) {
    guard event.count > 2 else { return }
    if event[0] == 0x10 { watch.failed(at: monotonic) }
    guard let reply = CommandReply(event: event) else { return }
    if exchange.take(reply, at: monotonic) {
      watch.answered(at: monotonic)
    } else if reply.isFinal {
      watch.foreignCommand(reply.opcode, to: commands, at: monotonic)
    }
  }

  /// Two most significant bits set: section 1.3.2.1 of volume 6, part B.
  static func staticRandomAddress() -> UInt64 {
    UInt64.random(in: 1..<(1 << 46) - 1) | 0xC000_0000_0000
  }
}

extension Broadcaster: HCIHost where Transport: ~Copyable {
  mutating func transmit(_ command: HCICommand) throws(RSSIError) {
    try transport.send(command.bytes)
  }

  mutating func receive(within milliseconds: Int32) throws(RSSIError) -> TransportState {
    try transport.receive(into: &batch, within: milliseconds)
  }

  /// Gives a command and waits until its answer is there.
  ///
  /// - Returns: the answer, whatever its status.
  /// - Throws: `Interruption` where no answer comes.
  mutating func ask<Delegate: BroadcastDelegate & ~Copyable>(
    _ command: HCICommand, for delegate: inout Delegate
  ) throws -> CommandReply {
    try converse(command) { host, time throws in try host.pump(within: time, for: &delegate) }
  }

  /// Gives a command that has to succeed.
  ///
  /// - Throws: `RSSIError` where the controller refuses it.
  @discardableResult
  mutating func demand<Delegate: BroadcastDelegate & ~Copyable>(
    _ command: HCICommand, for delegate: inout Delegate
  ) throws -> CommandReply {
    let reply = try ask(command, for: &delegate)
    guard reply.status == .success else { throw refusal(of: command.opcode, reply.status) }
    return reply
  }

  /// What to do about a command that was refused.
  func refusal(of opcode: Opcode, _ status: HCIStatus) -> RSSIError {
    guard status == .commandDisallowed else {
      return RSSIError(
        .protocolViolation,
        "\(transport.name) refuses \(opcode): \(status); reset the controller and try again")
    }
    if opcode == .leSetRandomAddress {
      return RSSIError(
        .unavailable,
        "\(transport.name) cannot take another address now (\(status)): another program scans or "
          + "advertises with it; end that one, or advertise from its own address")
    }
    return isBusy(status)
  }

  private func isBusy(_ status: HCIStatus) -> RSSIError {
    guard transport.isManagedByKernel else {
      return RSSIError(
        .unavailable,
        "\(transport.name) refuses to advertise (\(status)) although it was reset; take another "
          + "controller"
      )
    }
    return RSSIError(
      .unavailable,
      "\(transport.name) advertises already (\(status)), for another program such as bluetoothd, "
        + "or "
        + "since one was killed: end that program, or run `sudo hciconfig \(transport.name) "
        + "noleadv`; "
        + "user:N, which nobody else can use meanwhile, does without either")
  }

  /// Ends advertising, gives the set back and lets go of the controller, without the delegate.
  mutating func finish() {
    var last: [HCICommand] = mayAdvertise ? [commands.enable(false)] : []
    if holdsSet, let removal = commands.removal { last.append(removal) }
    for command in last where !settle(command) { break }
    (mayAdvertise, holdsSet) = (false, false)
    transport.close()
  }
}
