import Geometry

/// How comparisons are tested.
package struct SignificanceTest: Equatable, Sendable {
  /// The probability of a false claim that is put up with, over all comparisons made together.
  package var level: Double
  /// Traces up to which all signs are tried; with more, some are drawn.
  package var exactTraces: Int
  /// How many are drawn.
  package var draws: Int
  /// Equal seeds give equal probabilities.
  package var seed: UInt64

  package init(level: Double = 0.05, exactTraces: Int = 16, draws: Int = 65_535, seed: UInt64 = 1) {
    precondition(level > 0 && level < 1, "a level is a probability")
    precondition((0...24).contains(exactTraces) && draws > 0, "signs can be tried or drawn")
    self.level = level
    self.exactTraces = exactTraces
    self.draws = draws
    self.seed = seed
  }
}
