/// Delays that double after each failure, up to a limit, in nanoseconds.
struct BackOff: Equatable {
  let first: Int64
  let limit: Int64
  private(set) var next: Int64

  init(first: Int64, limit: Int64) {
    (self.first, self.limit, next) = (first, limit, first)
  }

  /// The delay before the next attempt; the one after it is twice as long.
  mutating func take() -> Int64 {
    defer { next = min(next * 2, limit) }
    return next
  }

  /// Starts over: an attempt succeeded for good.
  mutating func restart() { next = first }
}

/// A restraint on what was done not long ago, so that nothing is hammered.
struct Restraint: Equatable {
  private var delays: BackOff
  private var last: Int64?

  /// - Parameters:
  ///   - first: nanoseconds before it is done, the first time.
  ///   - limit: nanoseconds at most, when it has to be done over and over.
  init(first: Int64, limit: Int64) { delays = BackOff(first: first, limit: limit) }

  /// The delay before it is done once more.
  mutating func delay(at monotonic: Int64) -> Int64 {
    if let last, monotonic - last > 2 * delays.next + 60 * .second { delays.restart() }
    return delays.take()
  }

  /// It was done.
  mutating func done(at monotonic: Int64) { last = monotonic }
}

/// Durations in nanoseconds.
extension Int64 {
  static var second: Int64 { 1_000_000_000 }
  static var millisecond: Int64 { 1_000_000 }
}
