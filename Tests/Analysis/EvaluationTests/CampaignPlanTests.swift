import NumericalMethods
import Support
import TestSupport
import Testing

@testable import Evaluation

struct CampaignPlanTests {
  @Test func `the formula of a difference: statsmodels' paired t test`() throws {
    let cases = [[0.5, 0.05], [0.8, 0.05], [0.3, 0.05], [0.8, 0.01]]
    let expected = try reference(
      """
      from statsmodels.stats.power import TTestPower
      for effect, level in rows: answer(TTestPower().solve_power(effect, alpha=level, power=0.8))
      """, cases)
    for (row, count) in zip(cases, expected) {
      let mine = try #require(CampaignPlan.paired(effect: row[0], level: row[1]))
      #expect(abs(Double(mine) - count[0]) <= 1.5, "\(row): \(mine), \(count[0])")
    }
    #expect(CampaignPlan.paired(effect: 0, level: 0.05) == nil)
    #expect(CampaignPlan.paired(effect: 0.01, level: 0.05) == nil)
  }

  @Test func `a planned difference is found with the power, and equal algorithms seldom`() throws {
    let plan = CampaignPlan(
      .difference(size: 0.2, deviation: 0.3, comparisons: 1), runs: 300)
    let (formula, traces) = (try #require(plan.formula), try #require(plan.traces))
    // (1.96 + 0.84)² 1.5² + 1.96² / 2 = 19.6.
    #expect(formula == 20 && (20...24).contains(traces))
    #expect(try #require(plan.power) >= 0.8)
    // Three standard errors of 300 runs are 3.8 %.
    #expect(try #require(plan.size) <= 0.088)
    // Below six traces no difference is significant, however large it is.
    let large = CampaignPlan(.difference(size: 5, deviation: 0.1, comparisons: 1), runs: 100)
    #expect(large.traces == 6 && large.power == 1)
    let small = CampaignPlan(.difference(size: 0.01, deviation: 1, comparisons: 1), runs: 10)
    #expect(small.formula == nil && small.traces == nil && small.power == nil)
  }

  @Test func `a planned width is reached with the power, and the interval holds the error`() throws
  {
    let goal = CampaignGoal.width(size: 0.5, error: 1.5, spread: 0.3)
    let plan = CampaignPlan(goal, runs: 600)
    let traces = try #require(plan.traces)
    #expect(traces >= (try #require(plan.formula)) && (15...40).contains(traces))
    #expect(try #require(plan.power) >= 0.8)
    // Student's interval is exact: 5 % and three standard errors of 600 runs.
    #expect((0.023...0.077).contains(try #require(plan.size)))
    let half = CampaignPlan(.width(size: 0.25, error: 1.5, spread: 0.3), runs: 200)
    #expect(try #require(half.traces) > 3 * traces)
  }

  @Test func `a pilot gives the variation of each pair, and that of a single one is cautious`()
    throws
  {
    func algorithm(_ name: String, _ figures: [Double]) -> EarlierEvaluation.Algorithm {
      EarlierEvaluation.Algorithm(
        name: name, error: figures.reduce(0, +) / Double(figures.count),
        errorsOfTraces: Dictionary(
          uniqueKeysWithValues: figures.enumerated().map { ("walk-\($0.offset)", $0.element) }))
    }
    let base = [1.0, 1.4, 0.8, 1.2, 1.1, 0.9, 1.3, 1.0]
    let offsets = [0.3, -0.1, 0.2, 0.4, 0, 0.1, -0.2, 0.3]
    let pilot = EarlierEvaluation(
      name: "pilot.json",
      algorithms: [
        algorithm("a", base), algorithm("b", zip(base, offsets).map { $0 + $1 }),
        algorithm("c", base.map { $0 + 0.5 }),
      ], questions: [], knowledge: [])
    let rows = try CampaignRequest("difference:of=0.2").rows(from: pilot, runs: 60)
    // Differences that never vary need no plan.
    #expect(rows.map(\.algorithms) == [["a", "b"]])
    guard case .difference(0.2, let deviation, 2) = rows[0].goal else {
      Issue.record("another goal: \(rows[0].goal)")
      return
    }
    // numpy.std(offsets, ddof=1)
    #expect(isClose(deviation, 0.21213203435596426))
    #expect(rows[0].pilotTraces == 8)
    #expect(try #require(rows[0].cautious) > #require(rows[0].plan.traces))
    let widths = try CampaignRequest("width:of=0.5").rows(from: pilot, runs: 60)
    #expect(widths.map(\.algorithms) == [["a"], ["b"], ["c"]])
  }

  @Test func `without a pilot, a goal names the assumptions that it lacks`() throws {
    #expect(try CampaignRequest("difference:of=0.5,sd=0.5").rows().count == 1)
    #expect {
      try CampaignRequest("difference:of=0.5").rows()
    } throws: { "\($0)".contains("sd") }
    #expect {
      try CampaignRequest("width:of=0.5,error=2").rows()
    } throws: { "\($0)".contains("error and spread") }
    #expect(throws: RSSIError.self) { try CampaignRequest("difference") }
    #expect(throws: RSSIError.self) { try CampaignRequest("length:of=1") }
  }
}
