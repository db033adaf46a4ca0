import Geometry

/// The verdict on the best algorithm, or on the possible winners with the reason.
public struct Verdict: Equatable, Sendable {
  /// The possible winners, in the order of the leaderboard; a single name is the significant
  /// winner. Empty if nothing was answered.
  public var best: [String]
  /// The reason why there is no winner; `nil` if there is one.
  public var reason: Reason?
  /// Algorithms that are excluded because they answer far fewer questions than others.
  public var rarelyAnswering: [String]
  /// Algorithms that are excluded because they use data later than the instant, unlike others.
  public var withHindsight: [String]
  /// The significance level.
  public var level: Double

  /// The number of such traces that would show, with a power of 80 %, that the first is better than
  /// every other possible winner; `nil` if there is a winner, or too few traces for an estimate.
  public var needed: TracesNeeded?

  /// The reason why there is no winner.
  public enum Reason: Equatable, Sendable {
    case nothingAnswered
    case onlyOneAlgorithm
    /// Too few traces have common answers: with so many algorithms, even consistent differences
    /// would not be significant.
    case tooFewTraces(Int, needed: Int)
    /// The first is not significantly better than some others.
    case notToldApart
  }

  /// The significant winner.
  public var winner: String? { reason == nil ? best.first : nil }
}

extension Verdict.Reason {
  /// Returns one sentence for a reader.
  ///
  /// - Parameter unit: The unit that was resampled and counted.
  public func description(of unit: EvaluationSettings.Resampled) -> String {
    switch self {
    case .nothingAnswered: "no algorithm answered any question"
    case .onlyOneAlgorithm: "there is only one algorithm to compare"
    case .tooFewTraces(let count, let needed):
      "\(unit.counted(count)) \(count == 1 ? "is" : "are") too few to separate so many algorithms "
        + "(at least \(needed))"
    case .notToldApart: "no significant difference on these \(unit.plural)"
    }
  }
}

extension Verdict: CustomStringConvertible {
  /// The verdict in one sentence.
  public var description: String {
    winner.map { "\($0) is significantly better than every other algorithm" }
      ?? "no winner: \(reason?.description(of: .traces) ?? "")"
  }
}

extension Verdict {
  /// - Parameters:
  ///   - running: The eligible algorithms, in the order of the leaderboard.
  ///   - comparisons: The comparisons of the first with every other algorithm, adjusted together.
  init(
    running: [String], comparisons: [PairedComparison], test: SignificanceTest,
    rarelyAnswering: [String], withHindsight: [String]
  ) {
    self.rarelyAnswering = rarelyAnswering
    self.withHindsight = withHindsight
    level = test.level
    best = running
    guard let first = running.first else {
      reason = .nothingAnswered
      return
    }
    let against = comparisons.filter { running.contains($0.second) }
    guard !against.isEmpty else {
      reason = .onlyOneAlgorithm
      return
    }
    let worse = Set(against.filter { $0.firstIsBetter(at: test.level) }.map(\.second))
    best = running.filter { $0 == first || !worse.contains($0) }
    guard best.count > 1 else { return }
    let rivals = against.filter { best.contains($0.second) }.map(\.standardized)
    let counts = rivals.compactMap { $0?.traces(level: test.level / Double(comparisons.count)) }
    if counts.count == rivals.count {
      // The closest rival decides, and below a number of traces no test is significant.
      let fewest = test.fewestTraces(comparisons: comparisons.count)
      func most(_ all: [Int?]) -> Int? {
        all.contains(nil) ? nil : max(all.compactMap(\.self).max() ?? fewest, fewest)
      }
      needed = TracesNeeded(count: most(counts.map(\.count)), least: most(counts.map(\.least)))
    }
    let traces = against.map(\.commonTraces).min() ?? 0
    let needed = test.fewestTraces(comparisons: comparisons.count)
    reason = traces < needed ? .tooFewTraces(traces, needed: needed) : .notToldApart
  }
}

/// The verdict on an algorithm without calibration: if nothing beats it, a deployment needs no
/// calibration.
public struct BaselineVerdict: Equatable, Sendable {
  /// The name of the baseline.
  public var baseline: String
  /// The algorithms that are significantly better, in the order of the leaderboard.
  public var beatenBy: [String]
  /// The comparisons of the baseline with each other algorithm, in the order of the leaderboard,
  /// adjusted together.
  public var comparisons: [PairedComparison]

  /// Returns the algorithms with an outcome of the tests of equivalence to the baseline, in the
  /// order of the leaderboard.
  public func algorithms(
    _ outcome: EquivalenceTest.Outcome, at level: Double = 0.05
  ) -> [String] {
    comparisons.filter { $0.equivalence?.outcome(at: level) == outcome }.map(\.second)
  }
}

extension BaselineVerdict {
  /// - Parameters:
  ///   - running: The eligible algorithms; one that seldom answers beats nothing.
  init(baseline: String, running: [String], comparisons: [PairedComparison], level: Double) {
    self.baseline = baseline
    self.comparisons = comparisons
    beatenBy = comparisons.filter { running.contains($0.second) && $0.secondIsBetter(at: level) }
      .map(\.second)
  }
}
