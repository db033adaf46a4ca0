/// The times that a tracker is asked about: which come next, and which it has to remember.
struct AskedTimes {
  /// In order, those passed first.
  private var times: [Int64]
  private var passed = 0
  /// By time, how many questions are still to be answered.
  private var open: [Int64: Int] = [:]

  init(_ parts: [TrackedTrace.Part]) {
    times = Set(parts.map(\.asked)).sorted()
    for part in parts { open[part.asked, default: 0] += 1 }
  }

  /// Takes the question of a live scan, later than those before.
  ///
  /// - Parameter isDelayed: whether the scan's instant is asked about by one of those to come.
  mutating func take(_ part: TrackedTrace.Part, isDelayed: Bool) {
    if isDelayed, times.last.map({ $0 < part.instant }) ?? true { add(part.instant) }
    if !isDelayed || part.asked == part.instant { add(part.asked) }
  }

  private mutating func add(_ time: Int64) {
    if times.last.map({ $0 < time }) ?? true { times.append(time) }
    open[time, default: 0] += 1
  }

  /// The next time up to a limit, which is passed by this; nil where there is none.
  mutating func next(upTo limit: Int64) -> Int64? {
    guard passed < times.count, times[passed] <= limit else { return nil }
    passed += 1
    return times[passed - 1]
  }

  /// Passes all times up to that of a new beginning; returns those still to be answered.
  mutating func restart(at time: Int64) -> [Int64] {
    passed = times.firstIndex { $0 > time } ?? times.count
    return times[..<passed].filter { open[$0] != nil }
  }

  /// Counts a question as answered; returns whether its time needs no longer be remembered.
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
