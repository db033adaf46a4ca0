/// The incidents of a broadcast that need a remedy, and their times.
struct BroadcastWatch {
  enum Incident: Equatable {
    /// The controller failed or was reset: its settings are gone.
    case failed
    /// Someone else's command may have ended it; whether to show the person who advertises.
    case interference(Opcode, isToBeTold: Bool)
    /// It was not asked anything for long, and may be dead.
    case unasked
  }

  private var failureDue: Int64?
  private var failures = Restraint(first: .second / 10, limit: 60 * .second)
  private var interference: (opcode: Opcode, due: Int64)?
  private var takeBacks = Restraint(first: .second / 5, limit: 60 * .second)
  private var lastNote: Int64?
  private var askedTime: Int64

  /// The time for which nothing is asked of a controller before it has to show that it lives.
  private static let patience = 10 * Int64.second

  init(monotonic: Int64) { askedTime = monotonic }

  /// The controller stated that it failed, or someone else reset it.
  mutating func failed(at monotonic: Int64) {
    // A moment later: the kernel resets a controller that failed by itself.
    failureDue = failureDue ?? monotonic + failures.delay(at: monotonic)
  }

  /// Someone else's command was answered.
  mutating func foreignCommand(
    _ opcode: Opcode, to commands: BroadcastCommands, at monotonic: Int64
  ) {
    if opcode == .reset { return failed(at: monotonic) }
    guard commands.isDisturbed(by: opcode), interference == nil else { return }
    interference = (opcode, monotonic + takeBacks.delay(at: monotonic))
  }

  /// The controller answered.
  mutating func answered(at monotonic: Int64) { askedTime = monotonic }

  /// Returns the incident that needs a remedy now.
  mutating func incident(at monotonic: Int64) -> Incident? {
    if let failureDue, monotonic >= failureDue { return .failed }
    if let (opcode, due) = interference, monotonic >= due {
      return .interference(opcode, isToBeTold: isTimeForNote(at: monotonic))
    }
    return monotonic - askedTime >= Self.patience ? .unasked : nil
  }

  /// Something is about to be done: what happened before needs nothing else.
  mutating func remedyBegins() { (failureDue, interference) = (nil, nil) }

  /// It was done.
  mutating func remedied(_ incident: Incident, at monotonic: Int64) {
    switch incident {
    case .failed: failures.done(at: monotonic)
    case .interference: takeBacks.done(at: monotonic)
    case .unasked: break
    }
  }

  /// Returns true if something is worth a note again: once a minute at most.
  private mutating func isTimeForNote(at monotonic: Int64) -> Bool {
    if let lastNote, monotonic - lastNote < 60 * .second { return false }
    lastNote = monotonic
    return true
  }
}
