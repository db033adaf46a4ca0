import Support

extension Broadcaster {
  /// Does something about what happened.
  mutating func remedy<Delegate: BroadcastDelegate & ~Copyable>(
    _ incident: BroadcastWatch.Incident, for delegate: inout Delegate
  ) throws {
    switch incident {
    case .failed:
      watch.remedyBegins()
      delegate.note("\(session.name) was reset; advertising is begun again")
      try bringBack(from: .up, for: &delegate)
    case .interference(let opcode, let isToBeTold):
      watch.remedyBegins()
      // Of several sets only one's own is of interest: switching it on when it is on changes
      // nothing.
      if commands != .legacy {
        let reply = try ask(commands.enable(true), for: &delegate)
        if reply.status == .success { return }
      }
      if isToBeTold {
        delegate.note(
          "another program changed the advertising of \(session.name) (\(opcode)), such as "
            + "bluetoothd; "
            + "it is begun again each time: end that program, or advertise from user:N, which "
            + "nobody "
            + "else can use meanwhile")
      }
      try begin(for: &delegate)
    case .unasked: _ = try ask(.readBDADDR, for: &delegate)
    }
  }

  /// Tries until the controller advertises (again).
  ///
  /// - Parameter state: what became of it.
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
        // It worked before, so it may again.
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
          + "HCI "
          + "(H4), at this speed"
        : "\(session.name) answers no command any more (\(opcode)), not after resets either; "
          + "unplug "
          + "it, plug it in again and advertise again")
  }

  /// Waits until a controller that is down is up again: while the kernel resets it, it is.
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
            "\(session.name) was switched off; switch it on (`sudo hciconfig \(session.name) "
              + "up` "
              + "or `bluetoothctl power on`) and advertise again"))
      }
      state = try pump(within: 100, for: &delegate)
    }
  }
}
