import Sightings

/// When something was last heard, and what has to be done about the scan.
struct ScanWatch {
  /// When an advertisement was last heard, or scanning last began; nanoseconds since the epoch.
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
    /// When it was first seen, nanoseconds since the Unix epoch.
    var time: Int64
    /// When something is to be done about it, and when at the latest.
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

  /// Whether it failed since scanning was last set up.
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

  /// What has to be done about the scan now.
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

  /// Whether it is a second since the transport was last asked what it lost.
  func isTimeForLosses(at monotonic: Int64) -> Bool { monotonic - lossesAskedMonotonic >= .second }

  /// The transport is asked what it lost; when it was asked before.
  mutating func lossesAsked(at time: Int64, monotonic: Int64) -> Int64 {
    defer { (lossesAskedTime, lossesAskedMonotonic) = (time, monotonic) }
    return lossesAskedTime
  }

  /// Whether interference is worth a note again: once a minute at most.
  private mutating func isTimeForNote(at monotonic: Int64) -> Bool {
    if let last = lastNote, monotonic - last < 60 * .second { return false }
    lastNote = monotonic
    return true
  }
}
