import Advertising
import Capture
import PathLoss
import Sightings

/// Goes from pose to pose while a source listens, and gathers what is heard in each.
///
/// The time is the machine's; of a recording that is played again it is the recording's, so that a
/// pose has the same packets however fast it is played, and it stands still while somebody is asked.
struct Bench: CaptureSink, ~Copyable {
  /// Nanoseconds between two looks at what was heard.
  private static let lookPeriod: Int64 = 500_000_000

  private enum Stage {
    case asking
    case countingDown(since: Int64)
    case listening(since: Int64)
  }

  private let plan: BenchPlan
  /// Those that are meant; those heard in the first whole pose, where nobody named them.
  private(set) var beacons: BeaconsToCalibrate
  private let precision: Double
  private var recorder: Recorder?
  private var screen: BenchScreen
  private let enter = EnterKey()

  private var intake: Intake<PoseSink>
  private var decoder = HCIEventDecoder()
  private var stage = Stage.asking
  private var hasAsked = false
  private var hasStarted = false
  private var nextLook: Int64 = 0
  private var latest: Int64?
  /// The pose that is next, or being taken.
  private var stop = 0
  private var attempt = 1

  /// Whether there is a trace of what was heard.
  private(set) var hasRecorded = false
  /// Poses that became whole.
  private(set) var whole = 0
  /// What a person has to know of poses that did not, and of what was lost.
  private(set) var remarks: [String] = []
  private(set) var rejected: [String: UInt64] = [:]
  private var dropped: UInt64 = 0

  /// - Parameters:
  ///   - table: empty.
  ///   - precision: half the width that the interval is wished to have, dB.
  ///   - recorder: what also takes everything, with distance and pose; nil = nothing does.
  init(
    _ plan: BenchPlan, _ beacons: BeaconsToCalibrate, into table: PoseTable, precision: Double,
    recorder: consuming Recorder?, quiet: Bool
  ) throws {
    self.plan = plan
    self.precision = precision
    self.beacons = beacons
    self.recorder = recorder
    screen = BenchScreen(quiet: quiet)
    intake = Intake(into: PoseSink(table: table))
    intake.currentTrace = try intake.trace(named: "calibrate")
  }

  var table: PoseTable { intake.sink.table }

  mutating func receive(event: Span<UInt8>, time: Int64, adapter: UInt16) throws {
    try recorder?.receive(event: event, time: time, adapter: adapter)
    try decoder.decode(event, time: time, adapter: adapter, into: &intake)
  }

  mutating func receive(_ report: AdvertisingReport, payload: Span<UInt8>) throws {
    try reach(report.time)
    try recorder?.receive(report, payload: payload)
    try intake.receive(report, payload: payload)
  }

  mutating func receive(_ sighting: NamedSighting) throws {
    try reach(sighting.time)
    try recorder?.receive(sighting)
    try intake.receive(
      beacon: sighting.beacon, measuredPower: sighting.measuredPower, adapter: sighting.adapter,
      time: sighting.time, rssi: sighting.rssi, channel: sighting.channel)
  }

  mutating func describe(adapter: UInt16, name: String, radio: Radio) throws {
    try recorder?.describe(adapter: adapter, name: name, radio: radio)
    try intake.describe(adapter: adapter, name: name, radio: radio)
  }

  mutating func started() throws {
    hasStarted = true
    try recorder?.started()
  }

  mutating func lost(_ loss: Loss) throws {
    try recorder?.lost(loss)
    dropped += loss.dropped
  }

  mutating func reject(_ reason: String, count: UInt64) {
    recorder?.reject(reason, count: count)
    rejected[reason, default: 0] += count
  }

  mutating func note(_ text: String) { screen.say(text) }

  mutating func tick() throws -> Bool {
    guard !StopSignals.isStopAsked else { return false }
    _ = try recorder?.tick()
    if let now = plan.source.isReplay ? latest : SystemClock.monotonic, hasStarted, !isOver {
      try advance(now)
    }
    return !isOver
  }

  /// Closes the trace; what had begun and did not become whole is left out.
  mutating func finish() throws {
    screen.end()
    if case .listening = stage, !isOver {
      try intake.flush()
      leaveOut("was not complete when it ended")
    }
    if whole < plan.stops.count {
      remarks.append("\(plan.stops.count - whole) of \(counted(plan.stops.count, "pose")) are missing")
    }
    if dropped > 0 { remarks.append("\(dropped) events were lost on the way from the controller") }
    for (reason, count) in decoder.counts.rejections {
      rejected[reason.rawValue, default: 0] += UInt64(count)
    }
    remarks += beacons.bystanders(in: table)
    try recorder?.finish()
    hasRecorded = recorder?.hasBegun ?? false
    recorder = nil
  }

  private var isOver: Bool { stop >= plan.stops.count || StopSignals.isStopAsked }

  /// What a pose is called in the trace: every try is a stay of its own.
  private var label: String {
    attempt == 1 ? plan.stops[stop].name : "\(plan.stops[stop].name), try \(attempt)"
  }

  /// Of a recording, the time that its reports have reached.
  private mutating func reach(_ time: Int64) throws {
    guard plan.source.isReplay else { return }
    latest = max(latest ?? time, time)
    if let latest, !isOver { try advance(latest) }
  }

  private mutating func advance(_ now: Int64) throws {
    if case .asking = stage {
      guard isAnswered() else { return }
      stage = .countingDown(since: now)
    }
    if case .countingDown(let since) = stage {
      screen.countDown(since + plan.countdown - now)
      guard now - since >= plan.countdown else { return }
      stage = .listening(since: now)
      nextLook = min(now + Self.lookPeriod, now + plan.duration)
      stand(at: (plan.stops[stop].distance, label))
    }
    guard case .listening(let since) = stage, now >= nextLook else { return }
    try look(elapsed: now - since)
    // The next pose begins where this one ended, not at the next packet.
    if case .asking = stage, !isOver { try advance(now) }
  }

  private mutating func isAnswered() -> Bool {
    if !hasAsked {
      if plan.waits { enter.forget() }
      screen.ask(stop, of: plan, try: attempt)
      hasAsked = true
    }
    guard plan.waits else { return true }
    while !StopSignals.isStopAsked {
      switch enter.answer(within: plan.source.isReplay ? 50 : 0) {
      case .pressed: return true
      case .ended: StopSignals.ask()
      case .nothing: if !plan.source.isReplay { return false }
      }
    }
    return false
  }

  private mutating func stand(at place: (distance: Double, pose: String)?) {
    intake.standing = place
    recorder?.standing = place
  }

  private mutating func look(elapsed: Int64) throws {
    try intake.flush()
    nextLook += min(Self.lookPeriod, max(1, plan.duration - elapsed))
    let levels = table.levels(name: label, distance: plan.stops[stop].distance)
    let isEnd = elapsed >= plan.duration
    // A beacon in the next room is seldom heard, but its counts tell more after two seconds.
    if isEnd || elapsed >= 2_000_000_000 { try beacons.requireOne(in: table) }
    guard isEnd else {
      let meant = beacons.names(heardIn: table).compactMap { levels[$0] }
      screen.show(
        meant.max { $0.samples < $1.samples }, beacons: meant.count, elapsed: elapsed,
        of: plan.duration)
      return
    }
    try end(levels)
  }
  private mutating func end(_ levels: [String: PoseLevels]) throws {
    stand(at: nil)
    let (packets, asked) = beacons.fewest(of: levels, in: table)
    if packets >= PoseLevels.fewest {
      whole += 1
      let names = beacons.names(heardIn: table)
      // Now it is known which beacon is on the bench: one that passes by later changes nothing.
      try beacons.settle(on: names)
      screen.end(levels, names)
      if names.count == 1, isOneMetre(plan.stops[stop].distance) {
        screen.sum(CalibratedBeacon(names[0], in: table, precision: precision))
      }
      return next()
    }
    let few =
      "\(counted(packets, "packet"))\(asked.map { " of \($0)" } ?? "") in \(plain(Double(plan.duration) / 1e9)) s, and a mean takes \(PoseLevels.fewest)"
    let others = packets == 0 ? beacons.listed(in: table).map { "; heard were \($0)" } ?? "" : ""
    screen.say("  too little: \(few)\(others)")
    guard attempt < plan.tries else {
      leaveOut("has \(few)\(others)")
      return next()
    }
    intake.sink.table.discard(name: label, distance: plan.stops[stop].distance)
    attempt += 1
    (stage, hasAsked) = (.asking, false)
  }

  private mutating func next() {
    stop += 1
    attempt = 1
    (stage, hasAsked) = (.asking, false)
  }

  private mutating func leaveOut(_ reason: String) {
    let pose = plan.stops[stop]
    intake.sink.table.discard(name: label, distance: pose.distance)
    remarks.append("the pose \"\(pose.name)\" at \(metres(pose.distance)) is left out: it \(reason)")
  }
}
