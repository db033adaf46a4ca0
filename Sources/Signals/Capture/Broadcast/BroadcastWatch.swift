/// The incidents of a broadcast that need a remedy, and their times.
struct BroadcastWatch {
  enum Incident: Equatable {
    /// The controller failed or was reset, so that its settings are lost.
    case failed
    /// A command of another program that may have ended advertising; whether to show it to the
    /// user.
    case interference(Opcode, isToBeTold: Bool)
    /// A long time without a command, so that the controller may be dead.
    case unasked
  }

  private var failureDue: Int64?
  private var failures = Restraint(first: .second / 10, limit: 60 * .second)
  private var interference: (opcode: Opcode, due: Int64)?
  private var takeBacks = Restraint(first: .second / 5, limit: 60 * .second)
  private var lastNote: Int64?
  private var askedTime: Int64

  /// The time without a command after which the controller has to prove that it answers.
  private static let patience = 10 * Int64.second

  init(monotonic: Int64) { askedTime = monotonic }

  /// Notes that the controller reported a failure, or that another program reset it.
  mutating func failed(at monotonic: Int64) {
    // A moment later: the kernel itself resets a controller after a failure.
    failureDue = failureDue ?? monotonic + failures.delay(at: monotonic)
  }

  /// Notes the answer to another program's command.
  mutating func foreignCommand(
    _ opcode: Opcode, to commands: BroadcastCommands, at monotonic: Int64
  ) {
    if opcode == .reset { return failed(at: monotonic) }
    guard commands.isDisturbed(by: opcode), interference == nil else { return }
    interference = (opcode, monotonic + takeBacks.delay(at: monotonic))
  }

  /// Notes an answer of the controller.
  mutating func answered(at monotonic: Int64) { askedTime = monotonic }

  /// Returns the incident that needs a remedy now.
  mutating func incident(at monotonic: Int64) -> Incident? {
    if let failureDue, monotonic >= failureDue { return .failed }
    if let (opcode, due) = interference, monotonic >= due {
      return .interference(opcode, isToBeTold: isTimeForNote(at: monotonic))
    }
    return monotonic - askedTime >= Self.patience ? .unasked : nil
  }

  /// Notes that a remedy starts, which covers everything that happened before.
  mutating func remedyBegins() { (failureDue, interference) = (nil, nil) }

  /// Notes that a remedy is done.
  mutating func remedied(_ incident: Incident, at monotonic: Int64) {
    switch incident {
    case .failed: failures.done(at: monotonic)
    case .interference: takeBacks.done(at: monotonic)
    case .unasked: break
    }
  }

  /// Returns a Boolean value that is true if another note may be shown: at most one a minute.
  private mutating func isTimeForNote(at monotonic: Int64) -> Bool {
    if let lastNote, monotonic - lastNote < 60 * .second { return false }
    lastNote = monotonic
    return true
  }
}
