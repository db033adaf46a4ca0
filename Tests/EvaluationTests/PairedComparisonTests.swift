import Evaluation
import Testing

struct PairedComparisonTests {
  @Test("compares only at epochs that both answered")
  func common() {
    let a = [record([1, nil, 3, 5]), record([2, 2])]
    let b = [record([2, 1, nil, 9]), record([2, 2.5])]
    let comparison = PairedComparison(("a", a), ("b", b))
    #expect(comparison.commonEpochs == 4)
    // Differences -1 and -4, then 0 and -0.5.
    #expect(comparison.medianDifference == -0.75)
    #expect(comparison.interval == .unavailable(.tooFewTraces(2)))
    #expect(PairedComparison(("b", b), ("a", a)).medianDifference == 0.75)
  }

  @Test("a constant difference is certain however much the epochs vary")
  func constant() {
    let traces = (0..<5).map { k in [Double(k), Double(3 * k), 10] }
    let comparison = PairedComparison(
      ("a", traces.map { record($0) }), ("b", traces.map { record($0.map { $0 + 0.5 }) }))
    #expect(comparison.interval == .interval(Interval(lower: -0.5, upper: -0.5)))
  }

  @Test("without common epochs there is no difference")
  func none() {
    let comparison = PairedComparison(("a", [record([1, nil])]), ("b", [record([nil, 1])]))
    #expect(comparison.commonEpochs == 0 && comparison.medianDifference == nil)
    #expect(comparison.interval == .unavailable(.tooFewTraces(0)))
  }
}
