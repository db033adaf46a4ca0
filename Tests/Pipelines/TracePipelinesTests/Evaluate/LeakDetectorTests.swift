import Foundation
import PathLoss
import TestSupport
import Testing

@testable import TracePipelines

@Suite("Readings that recordings have in common")
struct LeakDetectorTests {
  private struct Row {
    /// Nanoseconds.
    var time: Int64
    var level: Double
    var link: UInt32 = 1
  }

  /// A walk among six beacons that send at intervals of 100 ms and up to 10 ms more, of which some
  /// are lost; levels drift, vary and are whole.
  private func walk(_ seed: UInt64, seconds: Int = 60, start: Double = 1.7e18) -> [Row] {
    var generator = SeededGenerator(seed: seed)
    var rows: [Row] = []
    for link in 1...6 as ClosedRange<UInt32> {
      var (time, drift) = (start + Double.random(in: 0..<1e8, using: &generator), 0.0)
      while time < start + Double(seconds) * 1e9 {
        time += 1e8 + Double.random(in: 0..<1e7, using: &generator)
        drift = 0.98 * drift + normal(&generator)
        guard Double.random(in: 0..<1, using: &generator) < 0.6 else { continue }
        rows.append(
          Row(
            time: Int64(time), level: (-70 + drift + 3 * normal(&generator)).rounded(), link: link))
      }
    }
    return rows.sorted { $0.time < $1.time }
  }

  /// A number of the standard normal distribution (Box and Muller).
  private func normal(_ generator: inout SeededGenerator) -> Double {
    let radius = (-2 * log(Double.random(in: 1e-12..<1, using: &generator))).squareRoot()
    return radius * cos(2 * .pi * Double.random(in: 0..<1, using: &generator))
  }

  private func sample(_ rows: [Row], capacity: Int = 100_000) -> ReadingSample {
    var sample = ReadingSample(capacity: capacity)
    for row in rows { sample.add(time: row.time, level: Float(row.level), link: row.link) }
    sample.sort()
    return sample
  }

  private func found(_ one: [Row], in other: [Row]) -> LeakDetector.Found {
    LeakDetector([sample(other)]).found(in: sample(one))[0]
  }

  enum Disguise: CaseIterable {
    case copy, withoutLast, half, fewer, few, cut, weaker, perturbed, later, fractionLater
    case weakerLaterAndThinned
  }

  private func disguised(_ rows: [Row], _ disguise: Disguise) -> [Row] {
    var generator = SeededGenerator(seed: 9)
    func thinned(_ rows: [Row], _ kept: Double) -> [Row] {
      rows.filter { _ in Double.random(in: 0..<1, using: &generator) < kept }
    }
    func shifted(_ level: Double, _ time: Int64) -> [Row] {
      rows.map { Row(time: $0.time + time, level: $0.level + level, link: $0.link) }
    }
    switch disguise {
    case .copy: return rows
    case .withoutLast: return rows.dropLast()
    case .half: return thinned(rows, 0.5)
    case .fewer: return thinned(rows, 0.25)
    case .few: return thinned(rows, 0.05)
    case .cut: return Array(rows[rows.count / 3..<rows.count / 2])
    case .weaker: return shifted(-1, 0)
    case .perturbed:
      return rows.map {
        Row(
          time: $0.time, level: $0.level + Double.random(in: -0.01...0.01, using: &generator),
          link: $0.link)
      }
    case .later: return shifted(0, 1_000_000_000_000)
    case .fractionLater: return shifted(0, 400_000)
    case .weakerLaterAndThinned: return thinned(shifted(-3, 86_400_000_000_000), 0.7)
    }
  }

  @Test(arguments: Disguise.allCases)
  func `are found in a disguised copy`(_ disguise: Disguise) {
    let walk = walk(1)
    let copy = disguised(walk, disguise)
    let share = Double(copy.count) / Double(walk.count)
    // Both ways: a part in the whole, and the whole in a part.
    let there = found(copy, in: walk)
    #expect(there.share > 0.9 && abs(there.shareOfOther - share) < 0.1, "\(there)")
    let back = found(walk, in: copy)
    #expect(back.shareOfOther > 0.9 && abs(back.share - share) < 0.1, "\(back)")
  }

  enum Alteration: CaseIterable {
    case seconds, tenths, stretched, slightlyStretched, jittered, noisy, wholeNoise, coarse, scaled
    case smoothed, means, maxima, shuffled, offsets, renamed, mirrored
    /// Two at once.
    case secondsAndLater, stretchedAndLater, meansAndLater, noisySecondsAndLater
  }

  private func altered(_ rows: [Row], _ alteration: Alteration) -> [Row] {
    var generator = SeededGenerator(seed: 4)
    func mapped(_ change: (inout Row) -> Void) -> [Row] {
      rows.map { row in
        var row = row
        change(&row)
        return row
      }
    }
    func rounded(_ rows: [Row], _ step: Int64) -> [Row] {
      rows.map { Row(time: $0.time / step * step, level: $0.level, link: $0.link) }
    }
    func later(_ rows: [Row]) -> [Row] {
      rows.map { Row(time: $0.time + 7_200_300_000_000, level: $0.level, link: $0.link) }
    }
    func stretched(_ factor: Double) -> [Row] {
      mapped { $0.time = rows[0].time + Int64(Double($0.time - rows[0].time) * factor) }
    }
    func resampled(_ level: ([Double]) -> Double) -> [Row] {
      let bins = Dictionary(grouping: rows) { [$0.time / 1_000_000_000, Int64($0.link)] }
      return bins.values.map { rows in
        Row(
          time: rows[0].time + rows.reduce(0) { $0 + $1.time - rows[0].time } / Int64(rows.count),
          level: level(rows.map(\.level)), link: rows[0].link)
      }.sorted { $0.time < $1.time }
    }
    switch alteration {
    case .seconds: return rounded(rows, 1_000_000_000)
    case .tenths: return rounded(rows, 100_000_000)
    case .stretched: return stretched(1.01)
    case .slightlyStretched: return stretched(1.001)
    case .jittered:
      return mapped { $0.time += Int64(2e7 * normal(&generator)) }.sorted { $0.time < $1.time }
    case .noisy: return mapped { $0.level += normal(&generator) }
    case .wholeNoise: return mapped { $0.level += normal(&generator).rounded() }
    case .coarse: return mapped { $0.level = ($0.level / 2).rounded() * 2 }
    case .scaled: return mapped { $0.level = -60 + 1.1 * ($0.level + 60) }
    case .smoothed:
      var last: [UInt32: Double] = [:]
      return mapped {
        $0.level = ($0.level + last[$0.link, default: $0.level]) / 2
        last[$0.link] = $0.level
      }
    case .means: return resampled { $0.reduce(0, +) / Double($0.count) }
    case .maxima: return resampled { $0.max()! }
    case .shuffled:
      var levels = Dictionary(grouping: rows) { [$0.time / 1_000_000_000, Int64($0.link)] }
        .mapValues { $0.map(\.level).shuffled(using: &generator) }
      return mapped {
        $0.level = levels[[$0.time / 1_000_000_000, Int64($0.link)]]!.removeLast()
      }
    case .offsets: return mapped { $0.level += Double($0.link * 7 % 5) }
    case .renamed: return mapped { $0.link += 100 }
    case .mirrored: return mapped { $0.link = 7 - $0.link }
    case .secondsAndLater: return later(rounded(rows, 1_000_000_000))
    case .stretchedAndLater: return later(stretched(1.01))
    case .meansAndLater: return later(altered(rows, .means))
    case .noisySecondsAndLater: return later(rounded(altered(rows, .noisy), 1_000_000_000))
    }
  }

  @Test(arguments: Alteration.allCases)
  func `are found with altered times and levels`(_ alteration: Alteration) {
    for seed in 1...3 as ClosedRange<UInt64> {
      let walk = walk(seed)
      let found = found(walk, in: altered(walk, alteration))
      #expect(found.larger >= LeakDetector.notable, "\(found)")
      // Altered readings of another walk are others.
      let other = self.walk(seed + 20)
      #expect(self.found(walk, in: altered(other, alteration)).larger == 0)
    }
  }

  @Test func `are found without links in samples of an earlier program`() {
    let walk = walk(1)
    let known = walk.map { Row(time: $0.time, level: $0.level - 2, link: 0) }
    #expect(found(walk, in: known).share > 0.9)
    #expect(found(self.walk(2), in: known).larger == 0)
  }

  @Test func `are not found in rare equal spikes`() {
    func still(_ spikes: [Int]) -> [Row] {
      (0..<400).map { index in
        Row(time: Int64(index) * 1_000_000_000, level: spikes.contains(index) ? -70 : -60)
      }
    }
    #expect(found(still([100, 300]), in: still([100, 250])).larger == 0)
    #expect(found(still([100]), in: still([130])).larger == 0)
  }

  @Test func `are not found in receivers that hear the same packets`() {
    var generator = SeededGenerator(seed: 6)
    let sent = walk(1).map { (row: $0, power: 2 * normal(&generator)) }
    let ways = (0..<2).map { phone in
      sent.map {
        Row(
          time: $0.row.time + Int64(phone) * 300_000,
          level: -70 + $0.power + 3 * normal(&generator), link: $0.row.link + 10 * UInt32(phone))
      }
    }
    #expect(found(ways[0], in: ways[1]).larger == 0)
  }

  @Test func `are found among those of other walks`() {
    let walks = (0..<5).map { walk(UInt64($0), start: 1.7e18 + Double($0) * 1e11) }
    let day = walks.flatMap { $0 }
    for walk in walks { #expect(found(walk, in: day).share > 0.99) }
    let known = sample(day, capacity: 1024)
    #expect(known.halvings > 0)
    for walk in walks {
      let found = LeakDetector([known]).found(in: sample(walk))[0]
      #expect(found.share > 0.9, "\(found)")
    }
    let later = disguised(walks[2], .later)
    #expect(LeakDetector([known]).found(in: sample(later))[0].share > 0.5)
  }

  @Test func `are counted where recordings have only some in common`() {
    let (one, other) = (walk(1), walk(2))
    for share in [0.2, 0.4, 0.8] {
      let cut = Int(share * Double(one.count))
      let mixed = (one[..<cut] + other[cut...]).sorted { $0.time < $1.time }
      let found = found(one, in: mixed)
      #expect(abs(found.share - share) < 0.05, "\(found) of \(share)")
    }
  }

  @Test func `are not found in other recordings`() {
    let samples = (0..<20).map { sample(walk(UInt64($0 + 10))) }
    let known = LeakDetector(samples)
    for (index, one) in samples.enumerated() {
      #expect(known.found(in: one, before: index).allSatisfy { $0.larger == 0 })
    }
  }

  @Test(arguments: [0.0, 0.3, 0.6, 1, 3], [100, 1000])
  func `are not found in still tags of whole levels at equal times`(
    deviation: Double, interval: Int64
  ) {
    var generator = SeededGenerator(seed: 3)
    let samples = (0..<12).map { _ in
      let level = -60 - Double.random(in: 0..<10, using: &generator)
      return sample(
        (0..<400).map {
          Row(
            time: Int64($0) * interval * 1_000_000,
            level: (level + deviation * normal(&generator)).rounded())
        })
    }
    let known = LeakDetector(samples)
    for (index, one) in samples.enumerated() {
      for (other, found) in known.found(in: one, before: index).enumerated() {
        // Equal levels at all of 400 equal instants are taken for a copy.
        guard samples[other].readings != one.readings else { continue }
        #expect(found.larger < LeakDetector.notable, "\(found)")
      }
    }
  }

  @Test func `readings with constant levels are found only if all are equal`() {
    let rows = (0..<50).map { Row(time: Int64($0) * 1_000_000_000, level: -60) }
    #expect(found(rows, in: rows).share == 1)
    #expect(found(rows, in: disguised(rows, .weaker)).larger == 0)
    #expect(found(rows, in: disguised(rows, .later)).larger == 0)
    #expect(found(Array(rows.dropLast()), in: rows).larger == 0)
  }

  @Test func `nothing has nothing in common`() {
    #expect(found([], in: []).larger == 0)
    #expect(found(walk(1, seconds: 1), in: []).larger == 0)
    #expect(found([], in: walk(1, seconds: 1)).larger == 0)
  }
}
