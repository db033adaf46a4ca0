/// Levels heard within a step's duration, as one: the mean of each anchor's, at the mean of their times.
struct LevelGroups {
  struct Group {
    /// Nanoseconds since the Unix epoch.
    var time: Int64
    /// The next time at which a position is asked or answered: a group does not go beyond.
    var mark: Int64
    var levels: [ScanLevels.Level]
  }

  /// The longest time in a group, in nanoseconds.
  let duration: Int64
  private(set) var all: [Group] = []

  init(duration: Int64) { self.duration = duration }

  /// Adds levels in order of time, none before those added already.
  ///
  /// - Parameter marks: the times at which positions are asked or answered, in order; the last is not
  ///   before the last level.
  mutating func add(_ levels: [ScanLevels.Level], before marks: [Int64]) {
    var start = 0
    while start < levels.count {
      let begin = levels[start].time
      let mark = marks[Self.firstMark(notBefore: begin, in: marks)]
      var end = start + 1
      while end < levels.count, levels[end].time <= mark, levels[end].time - begin <= duration {
        end += 1
      }
      all.append(Self.group(levels[start..<end], mark: mark))
      start = end
    }
  }

  private static func group(_ levels: ArraySlice<ScanLevels.Level>, mark: Int64) -> Group {
    let first = levels[levels.startIndex].time
    let later = levels.reduce(0) { $0 + ($1.time - first) } / Int64(levels.count)
    var means: [ScanLevels.Level] = []
    for level in levels {
      let packets = max(level.packets, 1)
      guard let known = means.firstIndex(where: { $0.table == level.table }) else {
        means.append(level)
        means[means.count - 1].packets = packets
        continue
      }
      let share = Double(packets) / Double(means[known].packets + packets)
      means[known].logRange += share * (level.logRange - means[known].logRange)
      means[known].packets += packets
    }
    return Group(time: first + later, mark: mark, levels: means)
  }

  private static func firstMark(notBefore time: Int64, in marks: [Int64]) -> Int {
    var (low, high) = (0, marks.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if marks[middle] < time { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
