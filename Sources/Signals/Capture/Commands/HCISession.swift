import Support

/// A command session with a controller over any transport: sends commands and finds their answers
/// among the events.
struct HCISession: ~Copyable {
  let transport: any HCITransport
  let clock: MachineClock
  /// The exchange of the current command.
  var exchange = CommandExchange()
  /// The identity and features of the controller, as far as it reported them.
  fileprivate(set) var identity = ControllerIdentity()
  /// The events of the last reception.
  var batch = EventBatch()

  init(_ transport: any HCITransport, clock: MachineClock) {
    self.transport = transport
    self.clock = clock
  }

  var name: String { transport.name }

  /// Receives events into `batch`, for at most a number of milliseconds.
  mutating func receive(within milliseconds: Int32) throws(RSSIError) -> TransportState {
    try transport.receive(into: &batch, within: milliseconds)
  }

  /// Sends a command and waits at most 0.5 s for its answer, without handling other events.
  ///
  /// - Returns: false if no answer will come, because the controller is gone or refuses.
  mutating func settle(_ command: HCICommand) -> Bool {
    defer { batch.removeAll() }
    do throws(RSSIError) {
      try transport.send(command.bytes)
      let deadline = clock.monotonic() + .second / 2
      while clock.monotonic() < deadline {
        batch.removeAll()
        guard try receive(within: 50) == .up else { return false }
        let isAnswered = batch.events.contains { event in
          CommandReply(event: batch.bytes.span.extracting(event.range))?.opcode == command.opcode
        }
        if isAnswered { return true }
      }
    } catch {
      return false
    }
    return true
  }

  /// A new static random address: its two most significant bits are set.
  ///
  /// Source: Bluetooth Core Specification 5.4, volume 6, part B, section 1.3.2.1.
  static func staticRandomAddress() -> UInt64 {
    UInt64.random(in: 1..<(1 << 46) - 1) | 0xC000_0000_0000
  }
}

/// An engine that scans or advertises with a controller.
///
/// Both kinds use the same session; each receives and handles the other events in its own `pump`.
protocol HCIHost: ~Copyable {
  var session: HCISession { get set }

  /// Returns the error for a command that was refused.
  func refusal(of opcode: Opcode, _ status: HCIStatus) -> RSSIError
}

extension HCIHost where Self: ~Copyable {
  /// A function that receives and handles events for at most a number of milliseconds.
  typealias Pump = (inout Self, Int32) throws -> TransportState

  /// Sends a command and handles incoming events until its answer arrives, for at most 2 s.
  ///
  /// - Returns: the answer, whatever its status.
  /// - Throws: `Interruption` if no answer arrives, or if the state of the controller changed, with
  ///   the new state.
  mutating func ask(_ command: HCICommand, pump: Pump) throws -> CommandReply {
    session.exchange.begin(command.opcode)
    defer { session.exchange.end(at: session.clock.monotonic()) }
    do throws(RSSIError) {
      try session.transport.send(command.bytes)
    } catch {
      guard error.kind == .unavailable else { throw error }
      let state = try pump(&self, 0)
      throw state == .up ? error : Interruption.transport(state)
    }
    let deadline = session.clock.monotonic() + 2 * .second
    while true {
      let left = deadline - session.clock.monotonic()
      guard left > 0 else { throw Interruption.unanswered(command.opcode) }
      let state = try pump(&self, Int32(min(left / .millisecond + 1, 100)))
      if let reply = session.exchange.reply { return reply }
      guard state == .up else { throw Interruption.transport(state) }
    }
  }

  /// Sends a command that has to succeed.
  ///
  /// - Throws: the `refusal` if the controller refuses it.
  mutating func demand(_ command: HCICommand, pump: Pump) throws -> CommandReply {
    let reply = try ask(command, pump: pump)
    guard reply.status == .success else { throw refusal(of: command.opcode, reply.status) }
    return reply
  }

  /// Makes a controller that was just reset report all events, and discards answers from before.
  mutating func setEventMasks(pump: Pump) throws {
    session.exchange.forget()
    _ = try demand(.setEventMask, pump: pump)
    _ = try demand(.leSetEventMask, pump: pump)
  }

  /// Queries the controller's identity and features; anything it refuses stays unknown.
  mutating func identify(pump: Pump) throws -> ControllerIdentity {
    var identity = ControllerIdentity()
    for command in [
      HCICommand.readLocalVersion, .readBDADDR, .readLocalSupportedCommands,
      .leReadLocalSupportedFeatures,
    ] {
      identity.take(try ask(command, pump: pump))
    }
    session.identity = identity
    return identity
  }

  /// Continues to receive for a while.
  ///
  /// - Parameter duration: nanoseconds.
  mutating func idle(for duration: Int64, pump: (inout Self, Int32) throws -> Void) throws {
    let end = session.clock.monotonic() + duration
    while true {
      let left = end - session.clock.monotonic()
      guard left > 0 else { return }
      try pump(&self, Int32(min(left / .millisecond + 1, 100)))
    }
  }
}

/// An event that interrupts an engine.
enum Interruption: Error, Equatable {
  /// The sink asked to stop.
  case stopped
  /// The controller did not answer a command in time.
  case unanswered(Opcode)
  /// The controller is no longer up.
  case transport(TransportState)
  /// The wait for the controller is over.
  case over(RSSIError)
}

/// The command whose answer is awaited, and overdue answers to this host's own commands.
struct CommandExchange {
  private var awaited: Opcode?
  /// Commands whose answers are overdue and may still arrive.
  private var overdue: [Overdue] = []
  private(set) var reply: CommandReply?

  private struct Overdue {
    var opcode: Opcode
    /// The time until which an answer is attributed to this host, on the monotonic clock.
    var until: Int64
  }

  /// Starts to wait for the answer to a command.
  mutating func begin(_ opcode: Opcode) { (awaited, reply) = (opcode, nil) }

  /// Ends the wait; a late answer is still attributed to this host.
  mutating func end(at monotonic: Int64) {
    overdue.removeAll { $0.until < monotonic }
    if let awaited, reply == nil {
      overdue.append(Overdue(opcode: awaited, until: monotonic + 10 * .second))
    }
    (awaited, reply) = (nil, nil)
  }

  /// Discards overdue answers: the controller was reset and will not send them.
  mutating func forget() { overdue.removeAll() }

  /// Returns a Boolean value that is true if an answer belongs to a command of this host.
  mutating func take(_ reply: CommandReply, at monotonic: Int64) -> Bool {
    if reply.opcode == awaited {
      if reply.isFinal, self.reply == nil { self.reply = reply }
      return true
    }
    guard
      let index = overdue.firstIndex(where: { $0.opcode == reply.opcode && $0.until >= monotonic })
    else { return false }
    if reply.isFinal { overdue.remove(at: index) }
    return true
  }
}

/// A controller's answer to a command.
///
/// Command Complete (0x0E): number of commands allowed(1) opcode(2) status(1) return parameters.
/// Command Status (0x0F): status(1) number of commands allowed(1) opcode(2); it refuses a command
/// or announces that the answer follows.
///
/// Source: Bluetooth Core Specification 5.4, volume 4, part E, sections 7.7.14 and 7.7.15.
struct CommandReply: Equatable {
  var opcode: Opcode
  var status: HCIStatus
  /// The return parameters after the status.
  var parameters: [UInt8]
  /// A Boolean value that is false if the command is still in progress.
  var isFinal: Bool

  /// Reads the answer from an event; nil if the event is not a complete answer.
  init?(event: Span<UInt8>) {
    guard event.count >= 6 else { return nil }
    switch event[0] {
    case 0x0E:
      opcode = Opcode(rawValue: UInt16(event[3]) | UInt16(event[4]) << 8)
      status = HCIStatus(rawValue: event[5])
      parameters = (6..<event.count).map { event[$0] }
      isFinal = true
    case 0x0F:
      opcode = Opcode(rawValue: UInt16(event[4]) | UInt16(event[5]) << 8)
      status = HCIStatus(rawValue: event[2])
      parameters = []
      isFinal = status != .success
    default: return nil
    }
  }
}
