import Geometry
import NumericalMethods
import PathLoss

/// The runs of four consecutive readings of recordings, to find shifts of time at which recordings
/// have readings in common under any names.
///
/// A run has three intervals and three steps of the level. Runs that two recordings have in common
/// propose a shift.
struct ReadingRuns {
  private struct Run: Comparable {
    var hash: UInt64
    var recording: Int32
    var time: Int64

    static func < (a: Run, b: Run) -> Bool {
      (a.hash, a.recording, a.time) < (b.hash, b.recording, b.time)
    }
  }

  /// The number of occurrences above which a run is common.
  private static let commonRun = 16
  /// The maximum number of runs of one recording; those of the lowest hashes are kept.
  private static let mostRuns = 16_384
  /// The largest number of shifts of one recording.
  private static let mostShifts = 3

  private let runs: [Run]

  /// - Parameter recordings: with sorted readings.
  init(_ recordings: [ReadingSample]) {
    runs = recordings.enumerated().flatMap { Self.runs(of: $1.readings, recording: $0) }.sorted()
  }

  /// Returns the shifts, in milliseconds, that most of the common runs propose, by recording.
  func shifts(of one: ReadingSample) -> [Int: [Int64]] {
    var votes: [Int32: [Int64: Int]] = [:]
    for run in Self.runs(of: one.readings, recording: 0) {
      let first = runs.partitioningIndex { $0.hash >= run.hash }
      let same = runs[first...].prefix { $0.hash == run.hash }
      guard same.count <= Self.commonRun else { continue }
      for known in same {
        votes[known.recording, default: [:]][known.time - run.time, default: 0] += 1
      }
    }
    return votes.reduce(into: [:]) { shifts, one in
      let often = one.value.filter { $0.value >= 3 }
        .sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      shifts[Int(one.key)] = often.prefix(Self.mostShifts).map(\.key)
    }
  }

  private static func runs(of readings: [ReadingSample.Reading], recording: Int) -> [Run] {
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
        runs.append(Run(hash: hash, recording: Int32(recording), time: readings[item].time))
      }
    }
    return runs.count > mostRuns ? Array(runs.sorted().prefix(mostRuns)) : runs
  }
}
