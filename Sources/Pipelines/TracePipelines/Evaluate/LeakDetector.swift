import Geometry
import NumericalMethods
import PathLoss

/// Finds the readings that recordings have in common, in spite of other names of nodes and constant
/// shifts of times and levels.
///
/// Four consecutive readings have three intervals and three steps of the level. Runs that two
/// recordings have in common propose a shift of time and level, as does a shift of time of zero if
/// the recordings overlap. Under a shift, the readings with a partner of the same time and level
/// are counted. Some agree by chance: as many as with the levels of one recording rotated against
/// its times, which keeps both distributions. The result is the agreement beyond chance (Cohen's
/// kappa), so that tags that stand still, with few different levels, are not taken for each other.
struct LeakDetector {
  /// The readings that one recording has in common with another.
  struct Found {
    /// The share of its readings that the other one has, from 0 to 1.
    var share = 0.0
    /// The share of the other one's readings that this one has.
    var shareOfOther = 0.0

    var larger: Double { max(share, shareOfOther) }
  }

  /// From this share on, recordings are not independent.
  static let refused = 0.5
  /// The share from which on the user is informed.
  static let notable = 0.1

  private struct Run: Comparable {
    var hash: UInt64
    var recording: Int32
    var item: Int32

    static func < (a: Run, b: Run) -> Bool {
      (a.hash, a.recording, a.item) < (b.hash, b.recording, b.item)
    }
  }

  private struct Shift: Hashable, Comparable {
    /// The time in milliseconds.
    var time: Int64
    /// The level in tenths of a decibel.
    var level: Int32

    static func < (a: Shift, b: Shift) -> Bool { (a.time, a.level) < (b.time, b.level) }
  }

  private typealias Reading = ReadingSample.Reading

  /// The largest difference between the times of one reading, from rounding twice, in milliseconds.
  private static let slack: Int64 = 2
  /// The number of occurrences above which a run is common.
  private static let commonRun = 16
  /// The maximum number of runs of one recording; those of the lowest hashes are kept.
  private static let mostRuns = 16_384
  /// The shifts of one recording that are examined.
  private static let mostShifts = 3
  /// The number of readings below which an agreement may be chance.
  private static let fewest = 6.0

  private let recordings: [ReadingSample]
  private let runs: [Run]

  /// - Parameter recordings: with sorted readings.
  init(_ recordings: [ReadingSample]) {
    self.recordings = recordings
    runs = recordings.enumerated().flatMap { Self.runs(of: $1.readings, recording: $0) }.sorted()
  }

  /// Returns the agreement of a recording with each of those before a number among them.
  ///
  /// - Complexity: O(n log n) in readings, and O(n) for each recording that may share some.
  func found(in one: ReadingSample, before end: Int? = nil) -> [Found] {
    let proposed = proposals(one.readings)
    return (0..<(end ?? recordings.count)).map { index in
      let known = recordings[index]
      var shifts = proposed[index] ?? []
      if let level = Self.simultaneousShift(one.readings, known.readings) {
        shifts.append(Shift(time: 0, level: level))
      }
      return Set(shifts).sorted().reduce(Found()) { best, shift in
        let found = Self.found(one, known, shift)
        return found.larger > best.larger ? found : best
      }
    }
  }

  /// Returns the shifts that most of the common runs propose, by recording.
  private func proposals(_ readings: [Reading]) -> [Int: [Shift]] {
    var votes: [Int32: [Shift: Int]] = [:]
    for run in Self.runs(of: readings, recording: 0) {
      let first = runs.partitioningIndex { $0.hash >= run.hash }
      let same = runs[first...].prefix { $0.hash == run.hash }
      guard same.count <= Self.commonRun else { continue }
      for place in same {
        let known = recordings[Int(place.recording)].readings[Int(place.item)]
        let own = readings[Int(run.item)]
        let level = ((known.level - own.level) * 10).rounded()
        votes[place.recording, default: [:]][
          Shift(time: known.time - own.time, level: Int32(level)), default: 0] += 1
      }
    }
    return votes.reduce(into: [:]) { proposals, one in
      let often = one.value.filter { $0.value >= 3 }
        .sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      proposals[Int(one.key)] = often.prefix(Self.mostShifts).map(\.key)
    }
  }

  private static func runs(of readings: [Reading], recording: Int) -> [Run] {
    guard readings.count > 3 else { return [] }
    var runs: [Run] = []
    for item in 3..<readings.count {
      var hash: UInt64 = 0
      var changes = false
      for index in item - 2...item {
        let (before, after) = (readings[index - 1], readings[index])
        let step = Int64((after.level - before.level).rounded())
        changes = changes || step != 0
        var mixed = SplitMix64(
          seed: hash ^ UInt64(bitPattern: (after.time &- before.time) &* 4096 &+ step))
        hash = mixed.next()
      }
      if changes {
        runs.append(Run(hash: hash, recording: Int32(recording), item: Int32(item)))
      }
    }
    return runs.count > mostRuns ? Array(runs.sorted().prefix(mostRuns)) : runs
  }

  /// Returns the most frequent difference of level at equal times, in tenths of a decibel; nil if
  /// too few times are equal.
  private static func simultaneousShift(_ one: [Reading], _ other: [Reading]) -> Int32? {
    guard let start = one.first?.time, let end = one.last?.time, let from = other.first?.time,
      let to = other.last?.time, start <= to + slack, from <= end + slack
    else { return nil }
    var counts: [Int32: Int] = [:]
    var first = 0
    for reading in one {
      while first < other.count, other[first].time < reading.time - slack { first += 1 }
      for partner in other[first...].prefix(8) where partner.time <= reading.time + slack {
        counts[Int32(((partner.level - reading.level) * 10).rounded()), default: 0] += 1
      }
    }
    let most = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }
    return most.flatMap { Double($0.value) >= fewest ? $0.key : nil }
  }

  /// Returns the agreement of two recordings under one shift.
  private static func found(
    _ one: ReadingSample, _ other: ReadingSample, _ shift: Shift
  ) -> Found {
    let (matched, agreeing) = agreement(one.readings, other.readings, shift, rotated: 0)
    guard Double(agreeing) >= fewest else { return Found() }
    // Only the readings that are kept of both count.
    let ofOne = one.readings.count { other.keeps(time: $0.time + shift.time) }
    let ofOther = other.readings.count { one.keeps(time: $0.time - shift.time) }
    let rotations = (1...7).map {
      agreement(one.readings, other.readings, shift, rotated: one.readings.count * $0 / 8).agreeing
    }
    let expected = Double(rotations.reduce(0, +)) / 7
    let chance = min(expected / Double(matched), 1)
    let excess = Double(agreeing) - expected
    var found = 0.0
    if excess >= max(fewest, 6 * (expected * (1 - chance)).squareRoot()) {
      found = excess / (1 - chance)
    } else if shift == Shift(time: 0, level: 0), agreeing == ofOne, agreeing == ofOther {
      // Constant levels show nothing, unless equal ones occur at all of many equal instants.
      found = Double(agreeing)
    }
    return Found(
      share: min(1, found / Double(ofOne)), shareOfOther: min(1, found / Double(ofOther)))
  }

  /// Returns the number of readings with a partner of the same time, and the number of those with
  /// one of the same level, too.
  ///
  /// - Parameter rotated: the number of readings by which the levels of the first recording move.
  private static func agreement(
    _ one: [Reading], _ other: [Reading], _ shift: Shift, rotated: Int
  ) -> (matched: Int, agreeing: Int) {
    let offset = Float(shift.level) / 10
    var isTaken = Array(repeating: false, count: other.count)
    var (matched, agreeing, first) = (0, 0, 0)
    for index in one.indices {
      let time = one[index].time + shift.time
      let level = one[(index + rotated) % one.count].level + offset
      while first < other.count, other[first].time < time - slack { first += 1 }
      var hasPartner = false
      // A file may have any number of readings at one instant: only some are compared.
      for partner in first..<min(first + 64, other.count) {
        if other[partner].time > time + slack { break }
        if isTaken[partner] { continue }
        hasPartner = true
        if abs(other[partner].level - level) <= 0.105 {
          isTaken[partner] = true
          agreeing += 1
          break
        }
      }
      if hasPartner { matched += 1 }
    }
    return (matched, agreeing)
  }
}
