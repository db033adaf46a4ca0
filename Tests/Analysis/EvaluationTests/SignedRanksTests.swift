import Geometry
import Testing

@testable import Evaluation

struct SignedRanksTests {
  @Test func `quantiles: exact for few values, Gaussian for many`() {
    // R's qsignrank(0.025, n) for n = 6, 10, 20 and 50: tables of Wilcoxon's test.
    #expect([6, 10, 20, 50].map { SignedRanks.quantile(0.025, count: $0) } == [1, 9, 53, 435])
    // The exact distribution and its Gaussian limit meet: the next quantile is 50.5 - 1.96 · 4.4
    // further.
    let (exact, limit) = (
      SignedRanks.quantile(0.025, count: 100), SignedRanks.quantile(0.025, count: 101)
    )
    #expect((40...44).contains(limit - exact))
  }
}
