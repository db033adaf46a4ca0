import Support

/// The host's side of a conversation with a controller: a command, and its answer among the events.
///
/// Scanning and advertising hold the same conversation; they differ in what they do with the other
/// events.
protocol HCIHost: ~Copyable {
  var clock: MachineClock { get }
  /// The command whose answer is awaited.
  var exchange: CommandExchange { get set }
  /// The events received last.
  var batch: EventBatch { get set }

  mutating func transmit(_ command: HCICommand) throws(RSSIError)
  /// Receives events into `batch`, for at most that many milliseconds.
  mutating func receive(within milliseconds: Int32) throws(RSSIError) -> TransportState
}

extension HCIHost where Self: ~Copyable {
  /// Sends a command and handles what is received until its answer is there, for at most 2 s.
  ///
  /// - Parameter pump: receives and handles events for at most that many milliseconds.
  /// - Returns: the answer, whatever its status.
  /// - Throws: `Interruption` where no answer comes; where sending fails because of what became of
  ///   the controller, an interruption that names that.
  mutating func converse(
    _ command: HCICommand, pump: (inout Self, Int32) throws -> TransportState
  ) throws -> CommandReply {
    exchange.begin(command.opcode)
    defer { exchange.end(at: clock.monotonic()) }
    do throws(RSSIError) {
      try transmit(command)
    } catch {
      guard error.kind == .unavailable else { throw error }
      let state = try pump(&self, 0)
      throw state == .up ? error : Interruption.transport(state)
    }
    let deadline = clock.monotonic() + 2 * .second
    while true {
      let left = deadline - clock.monotonic()
      guard left > 0 else { throw Interruption.unanswered(command.opcode) }
      let state = try pump(&self, Int32(min(left / .millisecond + 1, 100)))
      if let reply = exchange.reply { return reply }
      guard state == .up else { throw Interruption.transport(state) }
    }
  }

  /// Sends a command and waits half a second for its answer, without handling other events.
  ///
  /// - Returns: false where there will be no answer, because the controller is gone or refuses.
  mutating func settle(_ command: HCICommand) -> Bool {
    do throws(RSSIError) {
      try transmit(command)
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
}
