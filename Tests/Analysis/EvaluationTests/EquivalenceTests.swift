import NumericalMethods
import TestSupport
import Testing

@testable import Evaluation

struct EquivalenceTests {
  private static func differences(
    _ count: Int, mean: Double, deviation: Double, _ generator: inout SeededGenerator
  ) -> [Double] {
    (0..<count).map { _ in mean + deviation * generator.gaussian() }
  }

  @Test func `the p-values are those of scipy's one-sided Wilcoxon test`() throws {
    let cases = [5, 8, 12, 16].map { count in
      var generator = SeededGenerator(seed: UInt64(count))
      return Self.differences(count, mean: 0.05, deviation: 0.2, &generator)
    }
    let expected = try reference(
      """
      from scipy.stats import wilcoxon
      p = lambda x: wilcoxon(x, alternative="greater", method="exact").pvalue
      for d in rows:
          above, below = p(d + 0.3), p(0.3 - d)
          answer(above, max(above, below), p(-d - 0.3))
      """, cases)
    for (values, p) in zip(cases, expected) {
      let test = try #require(EquivalenceTest(values, margin: 0.3, test: SignificanceTest()))
      #expect(isClose(test.notWorse, p[0]) && isClose(test.equivalent, p[1]), "\(values)")
      // Sums on the other side have an approximate p-value.
      #expect(p[2] > 0.5 ? test.worse >= 0.5 : isClose(test.worse, p[2]))
    }
  }

  @Test func `ties have their mean rank, and differences of 0 none`() throws {
    // Ranks 1 to 5 with the ties 1.5 and 3.5: all signs positive is one of 32 patterns.
    #expect(SignificanceTest().signedRanks([1, 1, 2, 2, 3]) == 1.0 / 32)
    // |sums| of at least 1 + 2.5 + 2.5 - 0 among the signs of 0, 1, 1.
    #expect(SignificanceTest().signedRanks([0, 1, 1]) == 0.25)
    #expect(SignificanceTest().signedRanks([]) == nil)
    #expect(SignificanceTest().signedRanks([-3, -2, -1])! > 0.8)
  }

  @Test func `the outcome names what the traces show`() throws {
    func outcome(_ second: [Double], margin: Double) throws -> EquivalenceTest.Outcome {
      let first = [1.0, 1.2, 0.9, 1.1, 1.3, 0.8]
      let traces = questions(Array(repeating: 1, count: 6))
      let comparison = PairedComparison(
        answers("a", first.map { [$0] }), answers("b", zip(first, second).map { [$0 + $1] }),
        traces: traces, test: SignificanceTest(margin: margin))
      return try #require(comparison.equivalence).outcome()
    }
    let noise = [0.01, -0.02, 0.03, 0.02, -0.01, 0]
    #expect(try outcome(noise, margin: 0.2) == .equivalent)
    #expect(try outcome(noise.map { $0 - 1.5 }, margin: 0.2) == .notWorse)
    #expect(try outcome(noise.map { $0 + 1.5 }, margin: 0.2) == .worse)
    #expect(try outcome([1, -1, 0.5, -0.5, 0.1, -0.2], margin: 0.2) == .undecided)
    let plain = PairedComparison(
      answers("a", [[1]]), answers("b", [[2]]), traces: questions([1]))
    #expect(plain.equivalence == nil)
  }

  @Test func `Holm adjusts each kind of claim about equivalence for all comparisons`() throws {
    let one = (0..<7).map { [1 + 0.01 * Double($0)] }
    func board(_ names: [String]) -> Leaderboard {
      var settings = LeaderboardSettings()
      settings.test.margin = 0.5
      settings.bootstrap.resamples = 100
      let others = names.enumerated().map { place, name in
        answers(name, one.map { $0.map { $0 + 0.01 * Double(place + 1) } })
      }
      return Leaderboard(
        traces: questions(Array(repeating: 1, count: 7)), answers: [answers("a", one)] + others,
        settings: settings)
    }
    // 2^-7 for a single comparison, times the number of comparisons.
    let alone = try #require(board(["b"]).comparisons[0].equivalence)
    #expect(alone.equivalent == 1.0 / 128 && alone.outcome() == .equivalent)
    let eight = board(["b", "c", "d", "e", "f", "g", "h", "i"])
    #expect(eight.comparisons.allSatisfy { $0.equivalence?.equivalent == 8.0 / 128 })
    #expect(eight.comparisons.allSatisfy { $0.equivalence?.outcome() == .undecided })
  }

  @Test func `a difference of the margin is called equivalent in at most 5 % of evaluations`() {
    var generator = SeededGenerator(seed: 3)
    for (count, skew) in [(8, 0.0), (12, 0), (12, 1)] {
      var claims = 0
      for _ in 0..<800 {
        let values = (0..<count).map { _ -> Double in
          let (u, v) = (generator.gaussian(), generator.gaussian())
          // Symmetric, or the difference of squares with another size each, about -0.3.
          return -0.3 + 0.2 * (skew > 0 ? (u * u - v * v) : u)
        }
        let test = EquivalenceTest(
          values, margin: 0.3, test: SignificanceTest(exactTraces: 12, draws: 999))
        if let test, test.equivalent <= 0.05 { claims += 1 }
      }
      // Three standard errors of 800 draws are 2.3 %.
      #expect(Double(claims) / 800 <= 0.073, "\(count) traces: \(claims)")
      #expect(claims > 8)
    }
  }
}
