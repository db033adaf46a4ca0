/// The times of a tracker's questions: the next one, and those whose state it must keep.
struct AskedTimes {
  /// The times in order, the passed ones first.
  private var times: [Int64]
  private var passed = 0
  /// The number of open questions, by time.
  private var open: [Int64: Int] = [:]

  init(_ parts: [TrackedTrace.Part]) {
    times = Set(parts.map(\.asked)).sorted()
    for part in parts { open[part.asked, default: 0] += 1 }
  }

  /// Adds the question of a live scan, later than the previous ones.
  ///
  /// - Parameter isDelayed: A Boolean value that is true if a later scan asks about this scan's
  ///   instant.
  mutating func take(_ part: TrackedTrace.Part, isDelayed: Bool) {
    if isDelayed, times.last.map({ $0 < part.instant }) ?? true { add(part.instant) }
    if !isDelayed || part.asked == part.instant { add(part.asked) }
  }

  private mutating func add(_ time: Int64) {
    if times.last.map({ $0 < time }) ?? true { times.append(time) }
    open[time, default: 0] += 1
  }

  /// Passes and returns the next time up to a limit, or returns `nil` if there is none.
  mutating func next(upTo limit: Int64) -> Int64? {
    guard passed < times.count, times[passed] <= limit else { return nil }
    passed += 1
    return times[passed - 1]
  }

  /// Passes all times up to that of a restart, and returns those with open questions.
  mutating func restart(at time: Int64) -> [Int64] {
    passed = times.firstIndex { $0 > time } ?? times.count
    return times[..<passed].filter { open[$0] != nil }
  }

  /// Counts a question as answered, and returns `true` if the state at its time is no longer
  /// needed.
  mutating func answer(_ time: Int64) -> Bool {
    guard let count = open[time] else { return true }
    open[time] = count > 1 ? count - 1 : nil
    guard count == 1 else { return false }
    while passed > 0, let first = times.first, open[first] == nil {
      times.removeFirst()
      passed -= 1
    }
    return true
  }
}
