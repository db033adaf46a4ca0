import NumericalMethods
import TestSupport
import Testing

@testable import Evaluation

struct PairedComparisonTests {
  @Test func `compares only at questions that both answered, trace by trace`() throws {
    let traces = questions([4, 2, 1])
    let a = answers("a", [[1, nil, 3, 5], [2, 2], [1]])
    let b = answers("b", [[2, 1, nil, 9], [2, 2.5], [nil]])
    let comparison = PairedComparison(a, b, traces: traces)
    #expect(comparison.commonEpochs == 4 && comparison.commonTraces == 2)
    // Differences -1 and -4, then 0 and -0.5.
    #expect(comparison.medianDifference == -0.75)
    // Medians 3 and 5.5, then 2 and 2.25.
    #expect(comparison.meanOfTraces == (-2.5 - 0.25) / 2)
    // Means of pairs -2.5, -1.375 and -0.25.
    #expect(comparison.effect == -1.375)
    #expect(comparison.p == 0.5 && comparison.adjusted == 0.5)
    #expect(comparison.interval == .unavailable(.tooFewTraces(2, needed: 6)))
    let turned = PairedComparison(b, a, traces: traces)
    #expect(turned.effect == 1.375 && turned.p == 0.5)
    let means = PairedComparison(a, b, traces: traces, figure: .mean)
    #expect(means.meanOfTraces == (-2.5 - 0.25) / 2 && means.figure == .mean)
  }

  @Test func `blocks of traces that differ for themselves are not significant`() throws {
    // Two walks in four blocks each: the first algorithm is better by 0.5 in one, worse in none.
    let first = (0..<8).map { [Double($0)] }
    let differences = [0.5, 0.51, 0.5, 0.51, 0.02, 0.03, 0.02, 0.03]
    let second = zip(first, differences).map { [$0[0] + $1] }
    let traces = questions(Array(repeating: 1, count: 8))
    func compare(_ owners: [Int]?) -> PairedComparison {
      var test = SignificanceTest(margin: 0.4)
      test.owners = owners
      return PairedComparison(answers("a", first), answers("b", second), traces: traces, test: test)
    }
    let alone = compare(nil)
    #expect(alone.isSignificant())
    let walks = compare([0, 0, 0, 0, 1, 1, 1, 1])
    // Between traces the variance is (2.02 - 0.1)²: t is near 1 with about 1 degree of freedom.
    #expect(try #require(walks.p) > 0.3 && !walks.isSignificant())
    #expect(isClose(try #require(walks.effect), -0.265))
    let interval = try #require(walks.interval.interval)
    #expect(interval.lower < -2 && interval.upper > 1)
    #expect(walks.equivalence?.outcome() == .undecided)
    // Blocks of one trace count one by one.
    #expect(compare([0, 0, 0, 0, 0, 0, 0, 0]).p == alone.p)
  }

  @Test func `without common questions there is no difference`() {
    let comparison = PairedComparison(
      answers("a", [[1, nil]]), answers("b", [[nil, 1]]), traces: questions([2]))
    #expect(comparison.commonEpochs == 0 && comparison.medianDifference == nil)
    #expect(comparison.p == nil && comparison.effect == nil && !comparison.isSignificant())
    #expect(comparison.interval == .unavailable(.tooFewTraces(0, needed: 6)))
  }

  @Test func `better in all of ten traces is certain, in all of five it is not`() throws {
    func compare(_ count: Int) -> PairedComparison {
      let one = (0..<count).map { [Double($0), Double(3 * $0), 10] }
      return PairedComparison(
        answers("a", one), answers("b", one.map { $0.map { $0 + 0.5 } }),
        traces: questions(Array(repeating: 3, count: count)))
    }
    let ten = compare(10)
    #expect(ten.p == 2.0 / 1024 && ten.firstIsBetter() && !ten.secondIsBetter())
    #expect(ten.interval == .interval(Interval(lower: -0.5, upper: -0.5)))
    #expect(compare(5).p == 0.0625 && !compare(5).isSignificant())
  }
}

/// The test and the effect on differences, against scipy and statsmodels.
struct SignificanceTests {
  private static let cases: [[Double]] =
    [5, 6, 9, 12, 16].map { count in
      var generator = SeededGenerator(seed: UInt64(count))
      return (0..<count).map { _ in 0.4 + generator.gaussian() }
    } + [[1, 1, -1, 2, 2, 0, 3, -1], [0, 0, 0, 0, 0, 0], [0.3, 0.1, 0.2, -0.1, -0.2, -0.3, 0.6]]

  @Test func `all signs: scipy's permutation test`() throws {
    let expected = try reference(
      """
      from scipy.stats import permutation_test
      for d in rows:
          r = permutation_test((d,), lambda x, axis: np.mean(x, axis=axis), permutation_type="samples",
                               vectorized=True, n_resamples=np.inf)
          answer(r.pvalue)
      """, Self.cases)
    for (values, p) in zip(Self.cases, expected) {
      let mine = try #require(SignificanceTest().signFlips(values))
      #expect(isClose(mine, p[0]), "\(values)")
    }
  }

  @Test func `drawn signs come near to all signs, never give 0, and repeat`() throws {
    for values in Self.cases {
      let exact = try #require(SignificanceTest().signFlips(values))
      let test = SignificanceTest(exactTraces: 0, draws: 20_000)
      let drawn = try #require(test.signFlips(values))
      #expect(
        isClose(drawn, exact, absolute: 4 * (exact * (1 - exact) / 20_000).squareRoot() + 1e-4))
      #expect(drawn == test.signFlips(values))
    }
    #expect(SignificanceTest(draws: 999).signFlips(Array(repeating: 1, count: 40)) == 0.001)
  }

  @Test func `the effect is the median of the means of pairs`() throws {
    let values = Self.cases.filter { $0.count > 5 && Set($0.map(abs)).count == $0.count }
    let intervals = try values.map {
      try #require(HodgesLehmann($0).interval(confidence: 0.95).interval)
    }
    // Just inside and just outside of each end.
    let expected = try reference(
      """
      from scipy.stats import wilcoxon
      for row in rows:
          lower, upper, d = row[0], row[1], row[2:]
          i, j = np.triu_indices(len(d))
          p = lambda x: wilcoxon(d - x, method="exact").pvalue
          answer(np.median((d[i] + d[j]) / 2), p(lower - 1e-9), p(lower + 1e-9), p(upper - 1e-9),
                 p(upper + 1e-9))
      """, zip(values, intervals).map { [$1.lower, $1.upper] + $0 })
    try #require(expected.count > 3)
    for (values, numbers) in zip(values, expected) {
      #expect(isClose(try #require(HodgesLehmann(values).estimate), numbers[0]))
      #expect(numbers[1] <= 0.05 && numbers[2] > 0.05, "\(numbers)")
      #expect(numbers[3] > 0.05 && numbers[4] <= 0.05, "\(numbers)")
    }
  }

  @Test func `pairs are counted, not sorted: many values with ties and both signs`() throws {
    var generator = SeededGenerator(seed: 5)
    let values = (0..<301).map { _ in (generator.gaussian() * 10).rounded() / 10 }
    var means: [Double] = []
    for first in values.indices {
      for second in first..<301 { means.append((values[first] + values[second]) / 2) }
    }
    let pairs = SortedSample(means)
    #expect(HodgesLehmann(values).estimate == pairs.quantile(0.5))
    let interval = try #require(HodgesLehmann(values).interval(confidence: 0.95).interval)
    let rank = SignedRanks.quantile(0.025, count: 301)
    #expect(interval.lower == pairs.values[rank - 1])
    #expect(interval.upper == pairs.values[pairs.values.count - rank])
  }

  @Test func `Holm's adjustment: statsmodels`() throws {
    let rows = [
      [0.01, 0.04, 0.03, 0.005], [0.5], [0.2, 0.9, 0.9, 0.001, 0.02], [0.02, 0.02, 0.02],
    ]
    let expected = try reference(
      """
      from statsmodels.stats.multitest import multipletests
      for p in rows: answer(*multipletests(p, method="holm")[1])
      """, rows)
    for (mine, theirs) in zip(rows.map(Holm.adjusted), expected) {
      #expect(zip(mine, theirs).allSatisfy { isClose($0, $1) }, "\(mine)")
    }
  }

  @Test func `the fewest traces are those whose every sign can be significant`() {
    let test = SignificanceTest()
    #expect([1, 2, 9, 20].map { test.fewestTraces(comparisons: $0) } == [6, 7, 9, 10])
  }
}
