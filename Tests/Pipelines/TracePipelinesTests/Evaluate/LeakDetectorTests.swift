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
  }

  /// A walk among six beacons that send at intervals of 100 ms and up to 10 ms more, of which some
  /// are lost; levels drift, vary and are whole.
  private func walk(_ seed: UInt64, seconds: Int = 60, start: Double = 1.7e18) -> [Row] {
    var generator = SeededGenerator(seed: seed)
    var rows: [Row] = []
    for _ in 0..<6 {
      var (time, drift) = (start + Double.random(in: 0..<1e8, using: &generator), 0.0)
      while time < start + Double(seconds) * 1e9 {
        time += 1e8 + Double.random(in: 0..<1e7, using: &generator)
        drift = 0.98 * drift + normal(&generator)
        guard Double.random(in: 0..<1, using: &generator) < 0.6 else { continue }
        rows.append(Row(time: Int64(time), level: (-70 + drift + 3 * normal(&generator)).rounded()))
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
    for row in rows { sample.add(time: row.time, level: Float(row.level)) }
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
      rows.map { Row(time: $0.time + time, level: $0.level + level) }
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
        Row(time: $0.time, level: $0.level + Double.random(in: -0.01...0.01, using: &generator))
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
