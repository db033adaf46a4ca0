import PathLoss
import Registries
import Sightings
import Support
import TracePipelines

/// The time between two looks at the sightings of a pose, in nanoseconds.
private let lookPeriod: Int64 = 500_000_000

// From pose to pose: asking, counting down, listening, judging.
extension Bench {
  var isOver: Bool { stop >= plan.stops.count || isStopped }

  /// The name of a pose in the trace: every try is a separate stay.
  private var label: String {
    attempt == 1 ? plan.stops[stop].name : "\(plan.stops[stop].name), try \(attempt)"
  }

  func advance(_ now: Int64) throws {
    if case .asking = stage {
      guard isAnswered() else { return }
      stage = .countingDown(since: now)
    }
    if case .countingDown(let since) = stage {
      let elapsed = Duration.nanoseconds(elapsed(since, now))
      person.show(.countingDown(left: plan.countdown - elapsed))
      guard elapsed >= plan.countdown else { return }
      stage = .listening(since: now)
      nextLook = min(lookPeriod, plan.duration.nanoseconds)
      stand(at: (plan.stops[stop].distance, label))
    }
    guard case .listening(let since) = stage, elapsed(since, now) >= nextLook else { return }
    try look(elapsed: elapsed(since, now))
    // The next pose begins where this one ended, not at the next packet.
    if case .asking = stage, !isOver { try advance(now) }
  }

  private func isAnswered() -> Bool {
    if !hasAsked {
      if plan.waits { person.forgetAnswers() }
      person.show(.asking(BenchPrompt(plan: plan, stop: stop, attempt: attempt)))
      hasAsked = true
    }
    guard plan.waits else { return true }
    while !isStopped {
      switch person.answer(within: isReplay ? 50 : 0) {
      case .ready: return true
      case .quit: hasQuit = true
      case .none: if !isReplay { return false }
      }
    }
    return false
  }

  private func stand(at place: (distance: Double, pose: String)?) {
    builder.standing = place
    recorder?.standing = place
  }

  private func look(elapsed: Int64) throws {
    try builder.flush()
    nextLook = min(elapsed + lookPeriod, plan.duration.nanoseconds)
    let levels = table.levels(name: label, distance: plan.stops[stop].distance)
    let isEnd = elapsed >= plan.duration.nanoseconds
    // A beacon in the next room is seldom received, but two seconds show which one is nearer.
    if isEnd || elapsed >= 2_000_000_000 { try beacons.requireOne(in: table) }
    guard isEnd else {
      let meant = beacons.names(heardIn: table).compactMap { levels[$0] }
      return person.show(
        .listening(
          BenchProgress(
            levels: meant.max { $0.samples < $1.samples }, beacons: meant.count,
            elapsed: .nanoseconds(elapsed), duration: plan.duration)))
    }
    stand(at: nil)
    let (packets, asked) = beacons.fewest(of: levels, in: table)
    if packets >= PoseLevels.fewest {
      try complete(levels)
    } else {
      repeatOrLeaveOut(packets, asked)
    }
  }

  private func complete(_ levels: [String: PoseLevels]) throws {
    completed += 1
    let names = beacons.names(heardIn: table)
    // The beacon on the bench is known from here on: others that pass by change nothing.
    try beacons.settle(on: names)
    person.show(
      .completed(
        names.compactMap { name in
          levels[name].flatMap(PoseMean.init).map {
            CompletedPose(label: beacons.names.label(name), mean: $0)
          }
        }))
    if names.count == 1, MeasuredPower.isOneMetre(plan.stops[stop].distance) {
      person.show(.summed(CalibratedBeacon(names[0], in: table, precision: precision)))
    }
    next()
  }

  /// - Parameters:
  ///   - packets: the packets of the beacon that has fewest.
  ///   - asked: the choice of the user; nil if no beacon was named.
  private func repeatOrLeaveOut(_ packets: Int, _ asked: String?) {
    let few =
      "\(counted(packets, "packet"))\(asked.map { " of \($0)" } ?? "") in "
      + "\(plain(plan.duration / .seconds(1))) s, and a mean takes \(PoseLevels.fewest)"
    let others = packets == 0 ? beacons.listed(in: table).map { "; heard: \($0)" } ?? "" : ""
    person.show(.note("  too little: \(few)\(others)"))
    guard attempt < plan.tries else {
      leaveOut("has \(few)\(others)")
      return next()
    }
    builder.sink.table.discard(name: label, distance: plan.stops[stop].distance)
    attempt += 1
    (stage, hasAsked) = (.asking, false)
  }

  private func next() {
    stop += 1
    attempt = 1
    (stage, hasAsked) = (.asking, false)
  }

  func leaveOut(_ reason: String) {
    let pose = plan.stops[stop]
    builder.sink.table.discard(name: label, distance: pose.distance)
    remarks.append(
      "the pose \"\(pose.name)\" at \(metres(pose.distance)) is left out: it \(reason)")
  }
}

/// Returns the nanoseconds from one time to another; a recording may hold any times.
private func elapsed(_ start: Int64, _ end: Int64) -> Int64 {
  let (difference, overflow) = end.subtractingReportingOverflow(start)
  // Half of the range leaves room for the next look.
  return overflow ? .max / 2 : min(difference, .max / 2)
}
