/// When to try to end a silence, and how: mostly by switching scanning on again, which costs
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

  /// Whether something is to be done now: nil if not, else whether it is to be a reset.
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
