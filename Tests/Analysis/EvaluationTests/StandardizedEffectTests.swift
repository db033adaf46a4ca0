import Foundation
import NumericalMethods
import TestSupport
import Testing

@testable import Evaluation

@Suite("How many traces a verdict needs") struct StandardizedEffectTests {
  @Test(arguments: [6, 12, 30])
  func `the interval of an effect holds it in 95 % of simulated evaluations`(count: Int) throws {
    var random = SeededGenerator(seed: UInt64(count))
    for effect in [0, 0.5, 1.2] {
      var held = 0
      for _ in 0..<4000 {
        let differences = (0..<count).map { _ in random.gaussian() - effect }
        let found = try #require(StandardizedEffect(differences))
        if found.interval.lower <= effect, effect <= found.interval.upper { held += 1 }
      }
      // Three standard errors of 4,000 draws are 1 %.
      #expect((0.94...0.98).contains(Double(held) / 4000), "\(effect): \(held)")
    }
  }

  @Test(arguments: [(0.5, 0.05), (0.8, 0.05), (0.8, 0.05 / 3), (1.2, 0.05 / 3)])
  func `the suggested number of traces gives the test a power of 80 %`(
    effect: Double, level: Double
  )
    throws
  {
    let found = StandardizedEffect(
      value: effect, interval: Interval(lower: effect, upper: effect))
    let count = try #require(found.traces(level: level).count)
    var random = SeededGenerator(seed: 5)
    let test = SignificanceTest(level: level, exactTraces: 0, draws: 999)
    var significant = 0
    for _ in 0..<600 {
      let differences = (0..<count).map { _ in random.gaussian() - effect }
      if let p = test.signFlips(differences), p <= level { significant += 1 }
    }
    #expect((0.74...0.89).contains(Double(significant) / 600), "\(count) traces: \(significant)")
  }

  @Test func `an effect of the other sign, or of few traces, needs no recorded number`() throws {
    #expect(StandardizedEffect([-1, -2, -1, -2, -1]) == nil)
    #expect(StandardizedEffect([-1, -1, -1, -1, -1, -1]) == nil)
    let worse = try #require(StandardizedEffect([1, 2, 3, 1, 2, 3, 2, 1, 2]))
    #expect(worse.traces(level: 0.05) == TracesNeeded(count: nil, least: nil))
    let better = try #require(StandardizedEffect([-1, -2, -3, -1, -2, -3, -2, -1, -2]))
    let needed = better.traces(level: 0.05)
    #expect(try #require(needed.count) >= #require(needed.least))
    // A stricter test needs more.
    #expect(try #require(better.traces(level: 0.001).count) > #require(needed.count))
  }
}
