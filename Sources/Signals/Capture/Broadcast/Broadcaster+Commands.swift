import Support

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
