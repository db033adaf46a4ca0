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

  /// An incident of the scan.
  private struct Incident {
    var opcode: Opcode
    /// The time of the first sign, nanoseconds since the Unix epoch.
    var time: Int64
    /// The time at which a remedy is due, and the latest such time.
    var due: Int64
    var latest: Int64
  }

  /// - Parameter silence: the time without an advertisement, in seconds, after which scanning is
  ///   restarted.
  init(silence: Double, time: Int64, monotonic: Int64) {
    self.silence = Silence(seconds: silence, monotonic: monotonic)
    (heardTime, heardMonotonic) = (time, monotonic)
    (lossesAskedTime, lossesAskedMonotonic) = (time, monotonic)
  }

  /// Notes a received advertisement.
  mutating func heard(at time: Int64, monotonic: Int64) {
    (heardTime, heardMonotonic, hasHeard) = (time, monotonic, true)
  }

  /// Notes that the controller reported a failure, or that another program reset it.
  mutating func failed(at time: Int64, monotonic: Int64) {
    guard failure == nil else { return }
    let due = monotonic + failures.delay(at: monotonic)
    failure = Incident(opcode: .reset, time: time, due: due, latest: due)
  }

  /// A Boolean value that is true if the controller failed since scanning was last set up.
  var hasFailed: Bool { failure != nil }

  /// Notes the answer to another program's command.
  mutating func foreignCommand(_ opcode: Opcode, at time: Int64, monotonic: Int64) {
    if opcode == .reset { return failed(at: time, monotonic: monotonic) }
    guard opcode.changesScanning else { return }
    // Programs send several commands in a row; the remedy waits for the last one.
    if let first = interference {
      interference?.due = min(max(first.due, monotonic + .second / 5), first.latest)
    } else {
      let due = monotonic + takeBacks.delay(at: monotonic)
      interference = Incident(opcode: opcode, time: time, due: due, latest: due + 2 * .second)
    }
  }

  /// Returns the trouble that needs a remedy now.
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

  /// Notes that a remedy starts, which covers everything that happened before, but nothing later.
  mutating func remedyBegins() { (failure, interference) = (nil, nil) }

  /// Notes that scanning works (again).
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

  /// Returns a Boolean value that is true if the last request for losses is a second old.
  func isTimeForLosses(at monotonic: Int64) -> Bool { monotonic - lossesAskedMonotonic >= .second }

  /// Notes a request for losses; returns the time of the previous one.
  mutating func lossesAsked(at time: Int64, monotonic: Int64) -> Int64 {
    defer { (lossesAskedTime, lossesAskedMonotonic) = (time, monotonic) }
    return lossesAskedTime
  }

  /// Returns a Boolean value that is true if another note may be shown: at most one a minute.
  private mutating func isTimeForNote(at monotonic: Int64) -> Bool {
    if let last = lastNote, monotonic - last < 60 * .second { return false }
    lastNote = monotonic
    return true
  }
}

/// The schedule of attempts to end a silence: mostly by restarting the scan, which costs nothing,
/// and increasingly rarely by a reset.
struct Silence {
  private var waits: BackOff
  private var due: Int64
  private var attempts = 0
  private var resetAttempt = firstReset

  private static let firstReset = 3
  /// The maximum number of attempts between two resets; they are a minute apart by then.
  private static let mostAttempts = 60

  /// - Parameter seconds: the silence before the first attempt.
  init(seconds: Double, monotonic: Int64) {
    let first = Int64(min(seconds, 1e9) * 1e9)
    waits = BackOff(first: first, limit: max(first, 60 * .second))
    due = monotonic + first
  }

  /// Notes a reception, or another start of scanning.
  mutating func end(_ monotonic: Int64) {
    waits.restart()
    (attempts, resetAttempt) = (0, Self.firstReset)
    due = monotonic + waits.next
  }

  /// Returns true if a reset is due now, false if a restart of the scan is due; nil if neither is.
  mutating func attempt(at monotonic: Int64) -> Bool? {
    guard monotonic >= due else { return nil }
    attempts += 1
    guard attempts >= resetAttempt else { return false }
    resetAttempt += min(resetAttempt, Self.mostAttempts)
    return true
  }

  /// Records that an attempt was made, and sets the time of the next one.
  mutating func attempted(at monotonic: Int64) {
    _ = waits.take()
    due = monotonic + waits.next
  }
}

/// A reason for which scanning has to be restarted.
enum Trouble: Equatable {
  /// A long silence; whether a reset is due.
  case silence(since: Int64, resets: Bool)
  /// The controller failed or was reset.
  case failed(at: Int64)
  /// Another program changed the scan; whether to show it to the user.
  case interference(Opcode, at: Int64, isToBeTold: Bool)
  /// It was switched off, unplugged or disconnected.
  case absent(since: Int64)

  /// The reason for the gap in the recording.
  var reason: Gap.Reason {
    switch self {
    case .silence: .silence
    case .failed: .reset
    case .interference: .interference
    case .absent: .unplugged
    }
  }

  /// The earliest possible start of the trouble, nanoseconds since the Unix epoch.
  var start: Int64 {
    switch self {
    case .silence(let time, _), .failed(let time), .interference(_, let time, _), .absent(let time):
      time
    }
  }
}

/// The remedies that restore scanning, from the mildest on.
enum Remedy: Equatable {
  /// Setting the scan and switching it on.
  case rescan
  /// Setting the controller up from the beginning.
  case setUp
  /// Resetting the transport, then setting the controller up.
  case reset
}
