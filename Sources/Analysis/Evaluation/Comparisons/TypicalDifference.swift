import NumericalMethods

/// The typical difference of two figures over traces, with its tests.
///
/// Of traces, and of blocks of one trace, the Hodges–Lehmann estimate, Wilcoxon's signed ranks and
/// flipped signs; of blocks of several traces, their mean and Student's t (``BlockMean``).
struct TypicalDifference {
  /// The differences of the traces or blocks that both figures have.
  let values: [Double]
  private let blocks: BlockMean?
  private let ranked: HodgesLehmann
  private let test: SignificanceTest

  /// - Parameter differences: The difference of each unit, with the number of the unit.
  init(_ differences: [(unit: Int, difference: Double)], test: SignificanceTest) {
    values = differences.map(\.difference)
    blocks = BlockMean(
      values, owners: test.owners.map { owners in differences.map { owners[$0.unit] } })
    ranked = HodgesLehmann(values)
    self.test = test
  }

  /// The estimate; `nil` without values.
  var estimate: Double? { blocks?.mean ?? ranked.estimate }
  /// The confidence interval of the estimate.
  var interval: IntervalOutcome {
    let confidence = 1 - test.level
    return blocks?.interval(confidence: confidence) ?? ranked.interval(confidence: confidence)
  }
  /// The two-sided p-value against no difference; `nil` without values.
  var p: Double? { blocks?.p ?? test.signFlips(values) }
  /// The effect relative to its variation; `nil` for blocks of several traces, because no number of
  /// blocks replaces traces.
  var standardized: StandardizedEffect? { blocks == nil ? StandardizedEffect(values) : nil }
  /// The tests against the margin; `nil` without a margin or values.
  var equivalence: EquivalenceTest? {
    test.margin.flatMap { margin in
      blocks.map { EquivalenceTest($0, margin: margin) }
        ?? EquivalenceTest(values, margin: margin, test: test)
    }
  }
}
