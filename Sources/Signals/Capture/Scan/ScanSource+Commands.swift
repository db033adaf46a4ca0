import Support

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
