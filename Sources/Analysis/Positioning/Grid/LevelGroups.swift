/// Levels heard within a step's duration, as one: the mean of each anchor's, at the mean of their
/// times.
struct LevelGroups {
  struct Group {
    /// Nanoseconds since the Unix epoch.
    var time: Int64
    var levels: [ScanLevels.Level]
  }

  /// The longest time in a group, in nanoseconds.
  let duration: Int64
  private(set) var all: [Group] = []

  init(duration: Int64) { self.duration = duration }

  /// Adds the levels of one scan, in order of time; groups do not go beyond a scan.
  mutating func add(_ levels: [ScanLevels.Level]) {
    var start = 0
    while start < levels.count {
      var end = start + 1
      while end < levels.count, levels[end].time - levels[start].time <= duration { end += 1 }
      all.append(Self.group(levels[start..<end]))
      start = end
    }
  }

  private static func group(_ levels: ArraySlice<ScanLevels.Level>) -> Group {
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
    return Group(time: first + later, levels: means)
  }
}
