import NumericalMethods

/// The tests of the difference of two algorithms against a margin, in metres.
///
/// No significant difference is not equivalence: few traces find no difference of any size. These
/// tests put the burden of proof on the other side. The second algorithm is *not worse* than the
/// first if a difference of the margin or more is refuted (non-inferiority), and *equivalent* if it
/// is refuted in both directions (two one-sided tests, Schuirmann, "A comparison of the two
/// one-sided tests procedure and the power approach", J. Pharmacokinetics and Biopharmaceutics 15,
/// 1987).
///
/// Each is Wilcoxon's signed-rank test of the differences of the traces' figures, which belongs to
/// the effect and its interval: at 5 %, the second is equivalent if the 90 % interval of the effect
/// is within the margin.
public struct EquivalenceTest: Equatable, Sendable {
  /// The largest difference that does not matter, in metres.
  public var margin: Double
  /// The p-value against a second algorithm that is worse by the margin or more.
  public var notWorse: Double
  /// The p-value against a difference of the margin or more in either direction.
  public var equivalent: Double
  /// The p-value against a second algorithm that is worse by the margin or less.
  public var worse: Double

  /// The outcome for the second algorithm.
  public enum Outcome: String, Equatable, Sendable {
    /// The two differ by less than the margin.
    case equivalent
    /// The second is not worse than the first by the margin; it may be better by more.
    case notWorse = "not-worse"
    /// The second is worse than the first by more than the margin.
    case worse
    /// None of these is significant.
    case undecided
  }

  /// Returns the outcome at a significance level.
  ///
  /// Half the level decides whether the second is worse, so that this agrees with the two-sided
  /// test of the difference.
  public func outcome(at level: Double = 0.05) -> Outcome {
    if equivalent <= level { return .equivalent }
    if notWorse <= level { return .notWorse }
    return worse <= level / 2 ? .worse : .undecided
  }
}

extension EquivalenceTest {
  /// Creates the tests, or returns `nil` without differences.
  ///
  /// - Parameters:
  ///   - differences: The first's figure less the second's, trace by trace, in metres.
  ///   - margin: The margin in metres, above 0.
  init?(_ differences: [Double], margin: Double, test: SignificanceTest) {
    guard let above = test.signedRanks(differences.map { $0 + margin }),
      let below = test.signedRanks(differences.map { margin - $0 }),
      let beyond = test.signedRanks(differences.map { -$0 - margin })
    else { return nil }
    self.margin = margin
    (notWorse, equivalent, worse) = (above, max(above, below), beyond)
  }
}

extension EquivalenceTest {
  /// Creates the tests of blocks of several traces by Student's t; the margin is in metres.
  init(_ blocks: BlockMean, margin: Double) {
    self.margin = margin
    notWorse = blocks.p(above: -margin)
    equivalent = max(notWorse, blocks.p(below: margin))
    worse = blocks.p(below: -margin)
  }
}

extension SignificanceTest {
  /// Returns the one-sided p-value of Wilcoxon's signed-rank test against values that are symmetric
  /// about 0 or less, or `nil` without values.
  ///
  /// Ties have their mean rank. The p-value of a sum below 0 is approximate, and above one half.
  func signedRanks(_ values: [Double]) -> Double? {
    let ranks = zip(values, meanRanks(values.map(abs))).map { value, rank in
      value > 0 ? rank : value < 0 ? -rank : 0
    }
    guard let both = signFlips(ranks) else { return nil }
    return ranks.reduce(0, +) > 0 ? both / 2 : 1 - both / 2
  }
}
