import Support

/// Figures of the levels of one device, in dBm and dB.
public struct LevelFigures: Equatable, Sendable {
  /// The lowest level, in dBm.
  public var min: Double
  /// The median level, in dBm.
  public var median: Double
  /// The mean level, in dBm.
  public var mean: Double
  /// The highest level, in dBm.
  public var max: Double
  /// Sample standard deviation (n - 1); nil for one level.
  public var deviation: Double?
}

/// The number of sightings at each level: enough for exact figures of any number of levels, which
/// have few distinct values.
///
/// Radios measure whole dB. Beyond 4,096 distinct levels, as averaged ones of a table may be,
/// levels are counted rounded to 0.01 dB, of which there are fewer than 15,000 from -127 to 20 dBm.
struct LevelDistribution: Codable, Equatable, Sendable {
  private static let exactLimit = 4096

  /// The levels, ascending.
  private var levels: [Float] = []
  private var counts: [Int] = []
  private var isRounded = false

  /// - Parameter level: finite.
  mutating func add(_ level: Float) {
    let level = isRounded ? Self.rounded(level) : level
    let place = place(of: level)
    if place < levels.count, levels[place] == level {
      counts[place] += 1
      return
    }
    levels.insert(level, at: place)
    counts.insert(1, at: place)
    if !isRounded, levels.count > Self.exactLimit { round() }
  }

  /// Adds the levels of other files, in any order.
  mutating func merge(_ other: LevelDistribution) {
    if other.isRounded, !isRounded { round() }
    var merged = LevelDistribution()
    merged.isRounded = isRounded
    var rest = zip(other.levels, other.counts).map { (isRounded ? Self.rounded($0) : $0, $1) }[...]
    for (level, count) in zip(levels, counts) {
      while let next = rest.first, next.0 < level { merged.append(rest.removeFirst()) }
      merged.append((level, count))
    }
    for next in rest { merged.append(next) }
    if !isRounded, merged.levels.count > Self.exactLimit { merged.round() }
    self = merged
  }

  /// Appends a level that is not less than the last.
  private mutating func append(_ next: (level: Float, count: Int)) {
    if levels.last == next.level {
      counts[counts.count - 1] += next.count
    } else {
      levels.append(next.level)
      counts.append(next.count)
    }
  }

  /// The number of levels.
  var count: Int { counts.reduce(0, +) }

  /// A Boolean value that is true if levels can have made it, and no sum of its counts overflows.
  var isSound: Bool {
    levels.count == counts.count && levels.count <= 1 << 20
      && counts.allSatisfy { (1..<1 << 36).contains($0) }
      && zip(levels, levels.dropFirst()).allSatisfy { $0 < $1 }
      && levels.allSatisfy { abs($0) <= 1000 }
  }

  /// The figures of the levels; nil if there are none.
  var figures: LevelFigures? {
    guard let first = levels.first, let last = levels.last else { return nil }
    let total = counts.reduce(0, +)
    var sum = 0.0
    for (level, count) in zip(levels, counts) { sum += Double(level) * Double(count) }
    let mean = sum / Double(total)
    var squares = 0.0
    for (level, count) in zip(levels, counts) {
      let error = Double(level) - mean
      squares += error * error * Double(count)
    }
    return LevelFigures(
      min: Self.decimal(first),
      median: (level(numbered: (total - 1) / 2) + level(numbered: total / 2)) / 2,
      mean: mean, max: Self.decimal(last),
      deviation: total > 1 ? (squares / Double(total - 1)).squareRoot() : nil)
  }

  /// Returns the level at a place among all levels in ascending order.
  private func level(numbered number: Int) -> Double {
    var below = 0
    for (level, count) in zip(levels, counts) {
      below += count
      if number < below { return Self.decimal(level) }
    }
    return .nan
  }

  /// Returns the first place whose level is not less.
  private func place(of level: Float) -> Int {
    var (low, high) = (0, levels.count)
    while low < high {
      let middle = (low + high) / 2
      if levels[middle] < level { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private mutating func round() {
    var merged = LevelDistribution()
    merged.isRounded = true
    for (level, count) in zip(levels, counts) {
      merged.append((Self.rounded(level), count))
    }
    self = merged
  }

  private static func rounded(_ level: Float) -> Float {
    Float((Double(level) * 100).rounded(.toNearestOrAwayFromZero) / 100)
  }

  /// Returns the level as it was written: -72.31, not -72.30999755859375.
  private static func decimal(_ level: Float) -> Double { Double(plain(level)) ?? Double(level) }
}
