import Support

extension ScanSource where Transport: ~Copyable {
  /// Gives a command and hands on what is received until its answer is there.
  ///
  /// - Returns: the answer, whatever its status.
  /// - Throws: `Interruption` where no answer comes.
  mutating func ask<Sink: CaptureSink & ~Copyable>(
    _ command: HCICommand, into sink: inout Sink
  ) throws -> CommandReply {
    try send(command, into: &sink)
    exchange.begin(command.opcode)
    defer { exchange.end(at: clock.monotonic()) }
    let deadline = clock.monotonic() + 2 * .second
    while true {
      let left = deadline - clock.monotonic()
      guard left > 0 else { throw Interruption.unanswered(command.opcode) }
      let state = try pump(within: Int32(min(left / .millisecond + 1, 100)), into: &sink)
      if let reply = exchange.reply { return reply }
      guard state == .up else { throw Interruption.transport(state) }
    }
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

  /// Sends a command; where that fails because of what became of the controller, says that.
  private mutating func send<Sink: CaptureSink & ~Copyable>(
    _ command: HCICommand, into sink: inout Sink
  ) throws {
    do throws(RSSIError) {
      try transport.send(command.bytes)
    } catch {
      guard error.kind == .unavailable else { throw error }
      let state = try pump(within: 0, into: &sink)
      throw state == .up ? error : Interruption.transport(state)
    }
  }

  /// Switches scanning off and waits a moment for the answer, without the sink: the capture is
  /// over.
  mutating func stopScanning() {
    isScanning = false
    let command = scanCommands.enable(false)
    do throws(RSSIError) {
      try transport.send(command.bytes)
      let deadline = clock.monotonic() + .second / 2
      while clock.monotonic() < deadline {
        batch.removeAll()
        guard try transport.receive(into: &batch, within: 50) == .up else { break }
        let isAnswered = batch.events.contains { event in
          CommandReply(event: batch.bytes.span.extracting(event.range))?.opcode == command.opcode
        }
        if isAnswered { break }
      }
    } catch {
      // It cannot be asked to stop; the capture ends all the same.
    }
    batch.removeAll()
  }
}
