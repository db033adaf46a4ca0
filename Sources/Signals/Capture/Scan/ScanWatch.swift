import Sightings

/// The state of a scan: the last advertisement, and the troubles that need a remedy.
struct ScanWatch {
  /// The time of the last advertisement, or of the last start of scanning; nanoseconds since the
  /// epoch.
  private(set) var heardTime: Int64
  private var heardMonotonic: Int64
  private var hasHeard = false
  private var silence: Silence
  private var failure: Incident?
  private var failures = Restraint(first: .second / 10, limit: 60 * .second)
  private var interference: Incident?
  private var takeBacks = Restraint(first: .second / 5, limit: 60 * .second)
  private var lastNote: Int64?
  private var lossesAskedTime: Int64
  private var lossesAskedMonotonic: Int64

  /// Something that happened to the scan.
  private struct Incident {
    var opcode: Opcode
    /// The time at which it was first seen, nanoseconds since the Unix epoch.
    var time: Int64
    /// The time at which something is to be done about it, and the latest such time.
    var due: Int64
    var latest: Int64
  }

  /// - Parameter silence: seconds without an advertisement after which scanning is set up again.
  init(silence: Double, time: Int64, monotonic: Int64) {
    self.silence = Silence(seconds: silence, monotonic: monotonic)
    (heardTime, heardMonotonic) = (time, monotonic)
    (lossesAskedTime, lossesAskedMonotonic) = (time, monotonic)
  }

  /// An advertisement was heard.
  mutating func heard(at time: Int64, monotonic: Int64) {
    (heardTime, heardMonotonic, hasHeard) = (time, monotonic, true)
  }

  /// The controller stated that it failed, or someone else reset it.
  mutating func failed(at time: Int64, monotonic: Int64) {
    guard failure == nil else { return }
    let due = monotonic + failures.delay(at: monotonic)
    failure = Incident(opcode: .reset, time: time, due: due, latest: due)
  }

  /// A Boolean value that is true if it failed since scanning was last set up.
  var hasFailed: Bool { failure != nil }

  /// Someone else's command was answered.
  mutating func foreignCommand(_ opcode: Opcode, at time: Int64, monotonic: Int64) {
    if opcode == .reset { return failed(at: time, monotonic: monotonic) }
    guard opcode.changesScanning else { return }
    // Programs give several commands in a row; the last of them is waited for.
    if let first = interference {
      interference?.due = min(max(first.due, monotonic + .second / 5), first.latest)
    } else {
      let due = monotonic + takeBacks.delay(at: monotonic)
      interference = Incident(opcode: opcode, time: time, due: due, latest: due + 2 * .second)
    }
  }

  /// Returns the trouble that has to be remedied now.
  mutating func trouble(at monotonic: Int64) -> Trouble? {
    if let failure, monotonic >= failure.due { return .failed(at: failure.time) }
    if let interference, monotonic >= interference.due {
      return .interference(
        interference.opcode, at: interference.time, isToBeTold: isTimeForNote(at: monotonic))
    }
    if hasHeard {
      silence.end(heardMonotonic)
      hasHeard = false
    }
    return silence.attempt(at: monotonic).map { .silence(since: heardTime, resets: $0) }
  }

  /// The scan is about to be set: what happened before needs nothing else, what happens from now
  /// on does.
  mutating func remedyBegins() { (failure, interference) = (nil, nil) }

  /// Scanning works (again).
  mutating func scanningBegan(at time: Int64, monotonic: Int64, after trouble: Trouble?) {
    switch trouble {
    case .silence: silence.attempted(at: monotonic)
    case .interference: takeBacks.done(at: monotonic)
    case .failed: failures.done(at: monotonic)
    case .absent, nil: break
    }
    heardTime = max(heardTime, time)
    if case .silence = trouble { return }
    silence.end(monotonic)
  }

  /// Returns true if it is a second since the transport was last asked what it lost.
  func isTimeForLosses(at monotonic: Int64) -> Bool { monotonic - lossesAskedMonotonic >= .second }

  /// The transport is asked what it lost; when it was asked before.
  mutating func lossesAsked(at time: Int64, monotonic: Int64) -> Int64 {
    defer { (lossesAskedTime, lossesAskedMonotonic) = (time, monotonic) }
    return lossesAskedTime
  }

  /// Returns true if interference is worth a note again: once a minute at most.
  private mutating func isTimeForNote(at monotonic: Int64) -> Bool {
    if let last = lastNote, monotonic - last < 60 * .second { return false }
    lastNote = monotonic
    return true
  }
}

/// The schedule of attempts to end a silence: mostly by switching scanning on again, which costs
/// nothing, ever more rarely by a reset.
struct Silence {
  private var waits: BackOff
  private var due: Int64
  private var attempts = 0
  private var resetAttempt = firstReset

  private static let firstReset = 3
  /// Between two resets; attempts are a minute apart by then.
  private static let mostAttempts = 60

  /// - Parameter seconds: how long nothing must be heard.
  init(seconds: Double, monotonic: Int64) {
    let first = Int64(min(seconds, 1e9) * 1e9)
    waits = BackOff(first: first, limit: max(first, 60 * .second))
    due = monotonic + first
  }

  /// Something was heard, or scanning began for another reason.
  mutating func end(_ monotonic: Int64) {
    waits.restart()
    (attempts, resetAttempt) = (0, Self.firstReset)
    due = monotonic + waits.next
  }

  /// Returns true if a reset is to be done now, false for something milder; nil if nothing is.
  mutating func attempt(at monotonic: Int64) -> Bool? {
    guard monotonic >= due else { return nil }
    attempts += 1
    guard attempts >= resetAttempt else { return false }
    resetAttempt += min(resetAttempt, Self.mostAttempts)
    return true
  }

  /// It was done; whether it helped will be heard.
  mutating func attempted(at monotonic: Int64) {
    _ = waits.take()
    due = monotonic + waits.next
  }
}

/// Why scanning has to be set up again.
enum Trouble: Equatable {
  /// Nothing was heard for long; whether it is time for a reset.
  case silence(since: Int64, resets: Bool)
  /// The controller failed or was reset.
  case failed(at: Int64)
  /// Another program changed the scan; whether to show the person who captures.
  case interference(Opcode, at: Int64, isToBeTold: Bool)
  /// It was switched off, unplugged or cut off.
  case absent(since: Int64)

  /// The reason of the gap in the recording.
  var reason: Gap.Reason {
    switch self {
    case .silence: .silence
    case .failed: .reset
    case .interference: .interference
    case .absent: .unplugged
    }
  }

  /// The earliest time at which it may have begun, nanoseconds since the Unix epoch.
  var start: Int64 {
    switch self {
    case .silence(let time, _), .failed(let time), .interference(_, let time, _), .absent(let time):
      time
    }
  }
}

/// The remedies that bring scanning back, from the mildest on.
enum Remedy: Equatable {
  /// Set the scan and switch it on.
  case rescan
  /// Set the controller up from the beginning.
  case setUp
  /// Reset the way to the controller, then set it up.
  case reset
}
