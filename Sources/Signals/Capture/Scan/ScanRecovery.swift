import Sightings
import Support

extension ScanSource {
  /// Sets the controller up for the first time: what it refuses ends the capture before it began.
  mutating func beginScanning<Sink: CaptureSink & ~Copyable>(into sink: inout Sink) throws {
    try bringBack(nil, with: .setUp, into: &sink)
  }

  /// Brings scanning back after what became of the controller.
  mutating func recover<Sink: CaptureSink & ~Copyable>(
    from state: TransportState, into sink: inout Sink
  ) throws {
    let since = watch.heardTime
    // The kernel resets a controller that failed by switching it off and on: either may be seen
    // first.
    let isReset = state == .restarted || state == .down && watch.hasFailed
    try bringBack(
      isReset ? .failed(at: since) : .absent(since: since), with: .setUp,
      absent: state == .restarted ? .up : state, into: &sink)
  }

  /// Brings scanning back after trouble.
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
              + "or a desktop's settings; it is taken back each time, with losses: stop that "
              + "program, or capture from user:N, which nobody else can use meanwhile"))
      }
      try bringBack(trouble, with: .rescan, into: &sink)
    case .failed, .absent: try bringBack(trouble, with: .setUp, into: &sink)
    }
  }

  /// Tries until scanning works, and shows the sink from when to when it may not have.
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

  /// Tries once; false where it has to be tried again.
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
      // It worked before, so it may again.
      if recovery.refused() { try sink.notice(.message("\(error.description); trying again")) }
    }
    return false
  }

  /// Resets the way to the controller, and takes in what that stirs up.
  private mutating func resetTransport<Sink: CaptureSink & ~Copyable>(
    into sink: inout Sink
  ) throws {
    _ = try session.transport.reset()
    session.exchange.forget()
    let state = try pump(within: 0, into: &sink)
    if state == .down || state == .gone { throw Interruption.transport(state) }
  }

  /// Waits until a controller that is down or gone is there again.
  ///
  /// - Throws: `.unavailable` where the settings do not state to wait, or after a while of being
  ///   down.
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
    // Who takes a connection and answers nothing is not back: the pauses go on growing.
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

/// The progress of the attempts to bring scanning back.
struct Recovery {
  var remedy: Remedy
  /// A Boolean value that is true if scanning never worked yet.
  let isFirst: Bool
  /// The state of a controller that is not there; `.up` for one that is.
  var absent: TransportState
  /// Nanoseconds to wait before the next attempt.
  private(set) var delay: Int64 = 0

  private var delays = BackOff(first: .second / 2, limit: 60 * .second)
  private var unansweredSetUps = 0
  private var resets = 0
  private var hasBeenRefused = false

  /// A controller may be busy, or have been given half a command by its last host.
  private static let mostSetUps = 4
  private static let mostResets = 3

  init(remedy: Remedy, isFirst: Bool, absent: TransportState) {
    (self.remedy, self.isFirst, self.absent) = (remedy, isFirst, absent)
  }

  /// The way to the controller is being reset.
  mutating func resetBegins() {
    resets += 1
    remedy = .setUp
  }

  /// A command was not answered: a stronger remedy is needed.
  ///
  /// - Throws: `.unavailable` where every remedy was in vain.
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
        "\(name) answers no command any more (\(opcode)), not after \(resets) resets either; "
          + "unplug it, plug it in again and capture again")
    }
    remedy = .reset
  }

  /// The controller went down, came up or vanished: its settings are gone.
  mutating func changed(to state: TransportState) {
    remedy = remedy == .rescan ? .setUp : remedy
    absent = state == .restarted ? .up : state
    delay = state == .restarted ? delays.take() : 0
  }

  /// A command was refused; true the first time.
  mutating func refused() -> Bool {
    if remedy == .rescan { remedy = .setUp }
    delay = delays.take()
    defer { hasBeenRefused = true }
    return !hasBeenRefused
  }
}
