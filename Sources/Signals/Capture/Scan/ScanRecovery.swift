import Sightings
import Support

extension ScanSource {
  /// Sets the controller up for the first time; a refused command ends the capture.
  mutating func beginScanning<Sink: CaptureSink & ~Copyable>(into sink: inout Sink) throws {
    try bringBack(nil, with: .setUp, into: &sink)
  }

  /// Restores scanning after a change of the controller's state.
  mutating func recover<Sink: CaptureSink & ~Copyable>(
    from state: TransportState, into sink: inout Sink
  ) throws {
    let since = watch.heardTime
    // The kernel resets a failed controller by switching it off and on: either may be noticed
    // first.
    let isReset = state == .restarted || state == .down && watch.hasFailed
    try bringBack(
      isReset ? .failed(at: since) : .absent(since: since), with: .setUp,
      absent: state == .restarted ? .up : state, into: &sink)
  }

  /// Restores scanning after a trouble.
  mutating func recover<Sink: CaptureSink & ~Copyable>(
    from trouble: Trouble, into sink: inout Sink
  ) throws {
    switch trouble {
    case .silence(_, let resets):
      try bringBack(trouble, with: resets ? .reset : .rescan, into: &sink)
    case .interference(let opcode, _, let isToBeTold):
      if isToBeTold {
        try sink.notice(
          .message(
            "another program changed the scan of \(session.name) (\(opcode)), such as bluetoothd "
              + "or a desktop's settings; it is restored each time, with losses: stop that "
              + "program, or capture from user:N, which is exclusive to this program"))
      }
      try bringBack(trouble, with: .rescan, into: &sink)
    case .failed, .absent: try bringBack(trouble, with: .setUp, into: &sink)
    }
  }

  /// Tries until scanning works, and reports the interval of possible losses to the sink.
  private mutating func bringBack<Sink: CaptureSink & ~Copyable>(
    _ trouble: Trouble?, with remedy: Remedy, absent: TransportState = .up, into sink: inout Sink
  ) throws {
    var recovery = Recovery(remedy: remedy, isFirst: trouble == nil, absent: absent)
    do {
      while try !attempt(&recovery, into: &sink) {}
    } catch {
      if let trouble { try? lost(trouble, into: &sink) }
      throw error
    }
    if let trouble { try lost(trouble, into: &sink) }
    watch.scanningBegan(
      at: session.clock.now(), monotonic: session.clock.monotonic(), after: trouble)
  }

  private func lost<Sink: CaptureSink & ~Copyable>(
    _ trouble: Trouble, into sink: inout Sink
  ) throws {
    let now = session.clock.now()
    try sink.notice(
      .loss(
        Loss(
          adapter: Self.adapter, reason: trouble.reason, start: min(trouble.start, now), end: now)))
  }

  /// Tries once; returns false if another attempt is needed.
  private mutating func attempt<Sink: CaptureSink & ~Copyable>(
    _ recovery: inout Recovery, into sink: inout Sink
  ) throws -> Bool {
    if recovery.absent != .up {
      try awaitReturn(from: recovery.absent, into: &sink)
      recovery.absent = .up
    }
    do {
      try idle(for: recovery.delay) { host, time in
        let state = try host.pump(within: time, into: &sink)
        guard state == .up else { throw Interruption.transport(state) }
      }
      if recovery.remedy == .reset {
        recovery.resetBegins()
        try resetTransport(into: &sink)
      }
      watch.remedyBegins()
      if recovery.remedy == .rescan {
        try startScanning(into: &sink)
      } else {
        try setUp(into: &sink)
      }
      return true
    } catch Interruption.unanswered(let opcode) {
      try recovery.isUnanswered(opcode, by: session.name)
    } catch Interruption.transport(let state) {
      recovery.changed(to: state)
    } catch let error as RSSIError where error.kind != .permission && !recovery.isFirst {
      // It worked before, so it may work again.
      if recovery.refused() { try sink.notice(.message("\(error.description); trying again")) }
    }
    return false
  }

  /// Resets the transport, and handles the resulting events.
  private mutating func resetTransport<Sink: CaptureSink & ~Copyable>(
    into sink: inout Sink
  ) throws {
    _ = try session.transport.reset()
    session.exchange.forget()
    let state = try pump(within: 0, into: &sink)
    if state == .down || state == .gone { throw Interruption.transport(state) }
  }

  /// Waits for the return of a controller that is down or gone.
  ///
  /// - Throws: `.unavailable` if the settings do not ask to wait, or if it is down for a while.
  private mutating func awaitReturn<Sink: CaptureSink & ~Copyable>(
    from state: TransportState, into sink: inout Sink
  ) throws {
    isScanning = false
    if state == .gone { return try awaitReopening(into: &sink) }
    let deadline =
      session.clock.monotonic() + max(10 * .second, Int64(min(settings.silence, 1e9) * 1e9))
    while true {
      switch try pump(within: 100, into: &sink) {
      case .up, .restarted: return
      case .gone: return try awaitReopening(into: &sink)
      case .down: break
      }
      guard settings.waitsForAdapter || session.clock.monotonic() < deadline else {
        throw Interruption.over(
          RSSIError(
            .unavailable,
            "\(session.name) was switched off; switch it on (bluetoothctl power on) and capture "
              + "again"))
      }
    }
  }

  private mutating func awaitReopening<Sink: CaptureSink & ~Copyable>(
    into sink: inout Sink
  ) throws {
    guard settings.waitsForAdapter else {
      throw Interruption.over(
        RSSIError(
          .unavailable,
          "\(session.name) is gone; connect it and capture again, or have the capture wait for it"
        ))
    }
    if !isAway { try sink.notice(.message("\(session.name) is gone; waiting for its return")) }
    isAway = true
    // A peer that accepts a connection without answering is not back: the pauses continue to grow.
    repeat {
      let end = session.clock.monotonic() + reopening.delay(at: session.clock.monotonic())
      while session.clock.monotonic() < end {
        session.clock.pause(50)
        guard try sink.tick() else { throw Interruption.stopped }
      }
    } while try !session.transport.reopen()
    reopening.done(at: session.clock.monotonic())
    session.exchange.forget()
  }
}

/// The progress of the attempts to restore scanning.
struct Recovery {
  var remedy: Remedy
  /// A Boolean value that is true if scanning has never worked.
  let isFirst: Bool
  /// The state of an absent controller; `.up` for a present one.
  var absent: TransportState
  /// The wait before the next attempt, in nanoseconds.
  private(set) var delay: Int64 = 0

  private var delays = BackOff(first: .second / 2, limit: 60 * .second)
  private var unansweredSetUps = 0
  private var resets = 0
  private var hasBeenRefused = false

  /// The maximum number of set-ups: a controller may be busy, or have received half a command from
  /// its last host.
  private static let mostSetUps = 4
  private static let mostResets = 3

  init(remedy: Remedy, isFirst: Bool, absent: TransportState) {
    (self.remedy, self.isFirst, self.absent) = (remedy, isFirst, absent)
  }

  /// Notes the start of a reset of the transport.
  mutating func resetBegins() {
    resets += 1
    remedy = .setUp
  }

  /// Notes a command without an answer, which needs a stronger remedy.
  ///
  /// - Throws: `.unavailable` if every remedy failed.
  mutating func isUnanswered(_ opcode: Opcode, by name: String) throws(RSSIError) {
    delay = delays.take()
    guard remedy != .rescan else {
      remedy = .setUp
      return
    }
    unansweredSetUps += 1
    guard unansweredSetUps >= Self.mostSetUps else { return }
    if isFirst {
      throw RSSIError(
        .unavailable,
        "\(name) does not answer \(opcode); check that it is a controller that speaks HCI (H4), at "
          + "this speed")
    }
    guard resets < Self.mostResets else {
      throw RSSIError(
        .unavailable,
        "\(name) no longer answers commands (\(opcode)), even after \(resets) resets; "
          + "unplug it, plug it in again and capture again")
    }
    remedy = .reset
  }

  /// Notes that the controller went down, came up or vanished, so that its settings are lost.
  mutating func changed(to state: TransportState) {
    remedy = remedy == .rescan ? .setUp : remedy
    absent = state == .restarted ? .up : state
    delay = state == .restarted ? delays.take() : 0
  }

  /// Notes a refused command; returns true the first time.
  mutating func refused() -> Bool {
    if remedy == .rescan { remedy = .setUp }
    delay = delays.take()
    defer { hasBeenRefused = true }
    return !hasBeenRefused
  }
}
