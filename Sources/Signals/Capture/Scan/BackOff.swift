/// A sequence of delays in nanoseconds that double after each failure, up to a limit.
struct BackOff: Equatable {
  let first: Int64
  let limit: Int64
  private(set) var next: Int64

  init(first: Int64, limit: Int64) {
    (self.first, self.limit, next) = (first, limit, first)
  }

  /// Returns the delay before the next attempt, and doubles it.
  mutating func take() -> Int64 {
    defer { next = min(next * 2, limit) }
    return next
  }

  /// Resets the delay after a lasting success.
  mutating func restart() { next = first }
}

/// A rate limit of an action that may become necessary again and again.
struct Restraint: Equatable {
  private var delays: BackOff
  private var last: Int64?

  /// - Parameters:
  ///   - first: the delay before the first action, in nanoseconds.
  ///   - limit: the maximum delay between repeated actions, in nanoseconds.
  init(first: Int64, limit: Int64) { delays = BackOff(first: first, limit: limit) }

  /// Returns the delay before the next action.
  mutating func delay(at monotonic: Int64) -> Int64 {
    if let last, monotonic - last > 2 * delays.next + 60 * .second { delays.restart() }
    return delays.take()
  }

  /// Notes that the action was performed.
  mutating func done(at monotonic: Int64) { last = monotonic }
}

/// Durations in nanoseconds.
extension Int64 {
  static var second: Int64 { 1_000_000_000 }
  static var millisecond: Int64 { 1_000_000 }
}
