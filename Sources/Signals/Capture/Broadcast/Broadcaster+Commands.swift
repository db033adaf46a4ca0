import Support

extension Broadcaster where Transport: ~Copyable {
  /// Gives a command and waits until its answer is there.
  ///
  /// - Returns: the answer, whatever its status.
  /// - Throws: `Interruption` where no answer comes.
  mutating func ask<Delegate: BroadcastDelegate & ~Copyable>(
    _ command: HCICommand, for delegate: inout Delegate
  ) throws -> CommandReply {
    exchange.begin(command.opcode)
    defer { exchange.end(at: clock.monotonic()) }
    do throws(RSSIError) {
      try transport.send(command.bytes)
    } catch {
      guard error.kind == .unavailable else { throw error }
      let state = try pump(within: 0, for: &delegate)
      throw state == .up ? error : Interruption.transport(state)
    }
    let deadline = clock.monotonic() + 2 * .second
    while true {
      let left = deadline - clock.monotonic()
      guard left > 0 else { throw Interruption.unanswered(command.opcode) }
      let state = try pump(within: Int32(min(left / .millisecond + 1, 100)), for: &delegate)
      if let reply = exchange.reply { return reply }
      guard state == .up else { throw Interruption.transport(state) }
    }
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

  /// Gives a command and waits a moment for its answer; false where there will be none.
  private mutating func settle(_ command: HCICommand) -> Bool {
    do throws(RSSIError) {
      try transport.send(command.bytes)
      let deadline = clock.monotonic() + .second / 2
      while clock.monotonic() < deadline {
        batch.removeAll()
        guard try transport.receive(into: &batch, within: 50) == .up else { return false }
        let isAnswered = batch.events.contains { event in
          CommandReply(event: batch.bytes.span.extracting(event.range))?.opcode == command.opcode
        }
        if isAnswered { return true }
      }
    } catch {
      // It cannot be asked to stop; the broadcast ends all the same.
      return false
    }
    return true
  }
}
