import Advertising
import Support

/// An advertising controller, over any transport.
///
/// It sets the controller up, passes on new advertising data from the delegate, and monitors the
/// broadcast:
///
/// - **Failures** (hardware error, a reset by another program, switched off and on): set up again.
/// - **Another program's commands** that may have ended it: advertising is started again, with
///   growing pauses while the other program continues.
/// - **No answer** to a command, of which it sends one every ten seconds: set up again, then reset;
///   then the broadcast ends.
/// - **Switched off** for ten seconds, or **gone**: the broadcast ends.
///
/// After it returns or throws, advertising is off and the transport is closed.
struct Broadcaster: Broadcast, HCIHost, ~Copyable {
  var session: HCISession
  let settings: BroadcastSettings
  var watch: BroadcastWatch
  var commands = BroadcastCommands.legacy
  /// The static random address to advertise from; nil for the controller's own.
  var randomAddress: UInt64?
  /// The advertising data that the controller has.
  var data: [UInt8] = []
  /// Boolean values that are true if advertising may be on, and if the controller holds the
  /// advertising set; both are undone at the end.
  var mayAdvertise = false
  var holdsSet = false
  /// A Boolean value that is true if it advertised before.
  var hasBegun = false

  /// - Throws: `.usage` for settings that no controller can meet.
  init(
    transport: any HCITransport, settings: BroadcastSettings,
    clock: MachineClock = .system
  ) throws(RSSIError) {
    try settings.check()
    session = HCISession(transport, clock: clock)
    self.settings = settings
    watch = BroadcastWatch(monotonic: clock.monotonic())
    switch settings.address {
    case .own: break
    case .random: randomAddress = HCISession.staticRandomAddress()
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

  /// Waits a moment, and applies the remedy of an incident.
  private mutating func attend<Delegate: BroadcastDelegate & ~Copyable>(
    to delegate: inout Delegate
  ) throws {
    do {
      let state = try pump(within: 50, for: &delegate)
      guard state == .up else { throw Interruption.transport(state) }
      let now = session.clock.monotonic()
      if let incident = watch.incident(at: now) {
        try remedy(incident, for: &delegate)
        watch.remedied(incident, at: now)
      }
      let wanted = delegate.advertisingData()
      if wanted != data { try send(wanted, for: &delegate) }
    } catch Interruption.transport(let state) {
      try bringBack(from: state, for: &delegate)
      delegate.note(
        "\(session.name) was reset, or switched off and on; starting to advertise again")
    } catch Interruption.unanswered(let opcode) {
      delegate.note("\(session.name) does not answer \(opcode); setting it up again")
      try bringBack(from: .up, for: &delegate)
    }
  }

  /// Receives for at most a number of milliseconds and examines every event.
  ///
  /// - Throws: `Interruption.stopped` if the delegate ends the broadcast.
  mutating func pump<Delegate: BroadcastDelegate & ~Copyable>(
    within milliseconds: Int32, for delegate: inout Delegate
  ) throws -> TransportState {
    session.batch.removeAll()
    let state = try session.receive(within: milliseconds)
    // A copy outside the session, because handling the events changes the session.
    var received = EventBatch()
    swap(&received, &session.batch)
    for event in received.events {
      observe(received.bytes.span.extracting(event.range), at: session.clock.monotonic())
    }
    swap(&received, &session.batch)
    guard try delegate.tick() else { throw Interruption.stopped }
    return state
  }

  /// Notes an event that concerns the broadcast.
  private mutating func observe(_ event: Span<UInt8>, at monotonic: Int64) {
    guard event.count > 2 else { return }
    if event[0] == 0x10 { watch.failed(at: monotonic) }
    guard let reply = CommandReply(event: event) else { return }
    if session.exchange.take(reply, at: monotonic) {
      watch.answered(at: monotonic)
    } else if reply.isFinal {
      watch.foreignCommand(reply.opcode, to: commands, at: monotonic)
    }
  }

  // MARK: Commands

  /// Sends a command and handles incoming events until its answer arrives.
  mutating func ask<Delegate: BroadcastDelegate & ~Copyable>(
    _ command: HCICommand, for delegate: inout Delegate
  ) throws -> CommandReply {
    try ask(command) { host, time in try host.pump(within: time, for: &delegate) }
  }

  /// Sends a command that has to succeed.
  @discardableResult
  mutating func demand<Delegate: BroadcastDelegate & ~Copyable>(
    _ command: HCICommand, for delegate: inout Delegate
  ) throws -> CommandReply {
    try demand(command) { host, time in try host.pump(within: time, for: &delegate) }
  }

  func refusal(of opcode: Opcode, _ status: HCIStatus) -> RSSIError {
    guard status == .commandDisallowed else {
      return RSSIError(
        .protocolViolation,
        "\(session.name) refuses \(opcode): \(status); reset the controller and try again")
    }
    if opcode == .leSetRandomAddress {
      return RSSIError(
        .unavailable,
        "\(session.name) cannot take another address now (\(status)): another program scans or "
          + "advertises with it; end that one, or advertise from its own address")
    }
    return isBusy(status)
  }

  private func isBusy(_ status: HCIStatus) -> RSSIError {
    guard session.transport.isManagedByKernel else {
      return RSSIError(
        .unavailable,
        "\(session.name) refuses to advertise (\(status)) although it was reset; take another "
          + "controller"
      )
    }
    return RSSIError(
      .unavailable,
      "\(session.name) advertises already (\(status)), for another program such as bluetoothd, or "
        + "since one was killed: end that program, or run `sudo hciconfig \(session.name) "
        + "noleadv`; user:N, which is exclusive to this program, needs neither")
  }

  /// Ends advertising, removes the set and closes the controller, without the delegate.
  mutating func finish() {
    var last: [HCICommand] = mayAdvertise ? [commands.enable(false)] : []
    if holdsSet, let removal = commands.removal { last.append(removal) }
    for command in last where !session.settle(command) { break }
    (mayAdvertise, holdsSet) = (false, false)
    session.transport.close()
  }
}

extension Broadcaster {
  /// Applies the remedy of an incident.
  mutating func remedy<Delegate: BroadcastDelegate & ~Copyable>(
    _ incident: BroadcastWatch.Incident, for delegate: inout Delegate
  ) throws {
    switch incident {
    case .failed:
      watch.remedyBegins()
      delegate.note("\(session.name) was reset; starting to advertise again")
      try bringBack(from: .up, for: &delegate)
    case .interference(let opcode, let isToBeTold):
      watch.remedyBegins()
      // With several sets only one's own is of interest, and enabling it twice changes nothing.
      if commands != .legacy {
        let reply = try ask(commands.enable(true), for: &delegate)
        if reply.status == .success { return }
      }
      if isToBeTold {
        delegate.note(
          "another program changed the advertising of \(session.name) (\(opcode)), such as "
            + "bluetoothd; it is restarted each time: end that program, or advertise from "
            + "user:N, which is exclusive to this program")
      }
      try begin(for: &delegate)
    case .unasked: _ = try ask(.readBDADDR, for: &delegate)
    }
  }

  /// Tries until the controller advertises (again).
  ///
  /// - Parameter state: the state of the controller.
  mutating func bringBack<Delegate: BroadcastDelegate & ~Copyable>(
    from state: TransportState, for delegate: inout Delegate
  ) throws {
    let isFirst = !hasBegun
    var state = state
    var failures = 0
    var pauses = BackOff(first: .second / 10, limit: 10 * .second)
    while true {
      do {
        try awaitReturn(from: state, for: &delegate)
        try setUp(for: &delegate)
        return
      } catch Interruption.transport(let next) {
        state = next
        guard next == .restarted else { continue }
      } catch Interruption.unanswered(let opcode) {
        failures += 1
        guard failures < Self.mostFailures else { throw Interruption.over(isDead(opcode, isFirst)) }
        if failures > 1, !isFirst, try session.transport.reset() { session.exchange.forget() }
        state = .up
      } catch let error as RSSIError where !isFirst && error.kind == .protocolViolation {
        // It worked before, so it may work again.
        failures += 1
        guard failures < Self.mostFailures else { throw error }
        state = .up
      }
      try idle(for: pauses.take()) { host, time in _ = try host.pump(within: time, for: &delegate) }
    }
  }

  private static var mostFailures: Int { 4 }

  private func isDead(_ opcode: Opcode, _ isFirst: Bool) -> RSSIError {
    RSSIError(
      .unavailable,
      isFirst
        ? "\(session.name) does not answer \(opcode); check that it is a controller that speaks "
          + "HCI (H4), at this speed"
        : "\(session.name) no longer answers commands (\(opcode)), even after resets; "
          + "unplug it, plug it in again and advertise again")
  }

  /// Waits until a controller that is down is up again, as during a reset by the kernel.
  private mutating func awaitReturn<Delegate: BroadcastDelegate & ~Copyable>(
    from state: TransportState, for delegate: inout Delegate
  ) throws {
    var state = state
    let deadline = session.clock.monotonic() + 10 * .second
    while true {
      switch state {
      case .up, .restarted:
        return
      case .gone:
        mayAdvertise = false
        holdsSet = false
        throw Interruption.over(
          RSSIError(
            .unavailable, "\(session.name) is gone; connect it and advertise again"))
      case .down:
        mayAdvertise = false
        holdsSet = false
      }
      guard session.clock.monotonic() < deadline else {
        throw Interruption.over(
          RSSIError(
            .unavailable,
            "\(session.name) was switched off; switch it on (`sudo hciconfig \(session.name) up` "
              + "or `bluetoothctl power on`) and advertise again"))
      }
      state = try pump(within: 100, for: &delegate)
    }
  }
}
