import Geometry

/// Which algorithm is best, or which ones may be, and why there is no more to state.
package struct Verdict: Equatable, Sendable {
  /// The algorithms that may be the best, in the order of the leaderboard; one name = the best
  /// beyond doubt. Empty where nothing was answered.
  package var best: [String]
  /// Why not a single one is called best; nil where one is.
  package var reason: Reason?
  /// Algorithms that were not in the running, because they answer far fewer questions than others.
  package var rarelyAnswering: [String]
  /// Algorithms that were not in the running, because they use what was heard later than the
  /// instant, and others do not.
  package var withHindsight: [String]
  /// The probability of a false claim that was put up with.
  package var level: Double

  /// How many traces like these would show with a probability of 80 % that the first is better than
  /// every other that may be best; nil where one is best, or where too few were compared to
  /// estimate it.
  package var needed: TracesNeeded?

  /// Why no algorithm is called best.
  package enum Reason: Equatable, Sendable {
    case nothingAnswered
    case onlyOneAlgorithm
    /// So many traces have common answers; even if one algorithm were better in all of them, that
    /// could be chance, with so many algorithms compared.
    case tooFewTraces(Int, needed: Int)
    /// The first is not better than some others beyond doubt.
    case notToldApart
  }

  /// The one that is best beyond doubt.
  package var winner: String? { reason == nil ? best.first : nil }
}

extension Verdict.Reason {
  /// One sentence for a reader.
  ///
  /// - Parameter unit: what was drawn and counted.
  package func description(of unit: EvaluationSettings.Resampled) -> String {
    switch self {
    case .nothingAnswered: "no algorithm answered any question"
    case .onlyOneAlgorithm: "there is nothing to compare it with"
    case .tooFewTraces(let count, let needed):
      "\(unit.counted(count)) cannot settle which of so many algorithms is best; it takes at least "
        + "\(needed)"
    case .notToldApart: "the \(unit.plural) do not tell them apart"
    }
  }
}

extension Verdict {
  /// - Parameters:
  ///   - running: the algorithms in the running, in the order of the leaderboard.
  ///   - comparisons: the first of them against every other algorithm, adjusted together.
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
      // The closest rival decides; and below a number of traces no test finds anything.
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

/// Whether anything beats an algorithm that needs no calibration: if not, a deployment needs none.
package struct BaselineVerdict: Equatable, Sendable {
  /// The baseline as it was named.
  package var baseline: String
  /// The algorithms that are better beyond doubt, in the order of the leaderboard.
  package var beatenBy: [String]
  /// The baseline against each other algorithm, in the order of the leaderboard, adjusted together.
  package var comparisons: [PairedComparison]
}

extension BaselineVerdict {
  /// - Parameters:
  ///   - running: the algorithms in the running: one that seldom answers beats nothing.
  init(baseline: String, running: [String], comparisons: [PairedComparison], level: Double) {
    self.baseline = baseline
    self.comparisons = comparisons
    beatenBy = comparisons.filter { running.contains($0.second) && $0.secondIsBetter(at: level) }
      .map(\.second)
  }
}
