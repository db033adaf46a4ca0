import LivePipelines
import PathLoss
import Sightings
import Support
import TracePipelines

// From pose to pose: asking, counting down, listening, judging.
extension Bench {
  var isOver: Bool { stop >= plan.stops.count || StopSignals.isStopAsked }

  /// What a pose is called in the trace: every try is a stay of its own.
  private var label: String {
    attempt == 1 ? plan.stops[stop].name : "\(plan.stops[stop].name), try \(attempt)"
  }

  /// Of a recording, the time that its reports have reached.
  mutating func reach(_ time: Int64) throws {
    guard plan.source.isReplay else { return }
    latest = max(latest ?? time, time)
    if let latest, !isOver { try advance(latest) }
  }

  mutating func advance(_ now: Int64) throws {
    if case .asking = stage {
      guard isAnswered() else { return }
      stage = .countingDown(since: now)
    }
    if case .countingDown(let since) = stage {
      let elapsed = elapsed(since, now)
      screen.countDown(plan.countdown - elapsed)
      guard elapsed >= plan.countdown else { return }
      stage = .listening(since: now)
      nextLook = min(Self.lookPeriod, plan.duration)
      stand(at: (plan.stops[stop].distance, label))
    }
    guard case .listening(let since) = stage, elapsed(since, now) >= nextLook else { return }
    try look(elapsed: elapsed(since, now))
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
    nextLook = min(elapsed + Self.lookPeriod, plan.duration)
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
      screen.end(levels, names, called: beacons.names)
      if names.count == 1, MeasuredPower.isOneMetre(plan.stops[stop].distance) {
        screen.sum(CalibratedBeacon(names[0], in: table, precision: precision))
      }
      return next()
    }
    let few =
      "\(counted(packets, "packet"))\(asked.map { " of \($0)" } ?? "") in "
      + "\(plain(Double(plan.duration) / 1e9)) s, and a mean takes \(PoseLevels.fewest)"
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

  mutating func leaveOut(_ reason: String) {
    let pose = plan.stops[stop]
    intake.sink.table.discard(name: label, distance: pose.distance)
    remarks.append(
      "the pose \"\(pose.name)\" at \(metres(pose.distance)) is left out: it \(reason)")
  }
}

/// Nanoseconds from one time to another; a recording may hold any times.
private func elapsed(_ start: Int64, _ end: Int64) -> Int64 {
  let (difference, overflow) = end.subtractingReportingOverflow(start)
  // Half of what there is leaves room for the next look.
  return overflow ? .max / 2 : min(difference, .max / 2)
}
