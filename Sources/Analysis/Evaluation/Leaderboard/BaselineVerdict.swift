import Geometry

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
