import Geometry
import NumericalMethods

/// The settings of significance tests.
public struct SignificanceTest: Equatable, Sendable {
  /// The familywise probability of a false positive over all comparisons.
  public var level: Double
  /// The largest number of traces for which all signs are enumerated; with more, signs are drawn.
  public var exactTraces: Int
  /// The number of draws.
  public var draws: Int
  /// The random seed; equal seeds give equal p-values.
  public var seed: UInt64
  /// The margin of tests of equivalence, in metres; `nil` for none.
  public var margin: Double?
  /// The trace of each unit if units are blocks of traces; `nil` if they are traces.
  package var owners: [Int]?

  /// Creates settings; the margin is in metres, above 0.
  public init(
    level: Double = 0.05, exactTraces: Int = 16, draws: Int = 65_535, seed: UInt64 = 1,
    margin: Double? = nil
  ) {
    precondition(level > 0 && level < 1, "expected a level between 0 and 1")
    precondition(margin ?? 1 > 0, "expected a margin above 0")
    precondition(
      (0...24).contains(exactTraces) && draws > 0,
      "expected 0 to 24 exact traces and at least one draw")
    self.level = level
    self.exactTraces = exactTraces
    self.draws = draws
    self.seed = seed
    self.margin = margin
  }
}

extension SignificanceTest {
  /// Returns the two-sided p-value of the mean under random signs, at least 2^(1 - n), or `nil`
  /// without values.
  ///
  /// All signs are enumerated up to `exactTraces` values. Beyond, signs are drawn, and the p-value
  /// is (b + 1) / (m + 1) of m draws of which b reach the mean, which is never too small (Phipson &
  /// Smyth, "Permutation p-values should never be zero", 2010).
  func signFlips(_ values: [Double]) -> Double? {
    guard !values.isEmpty else { return nil }
    let observed = abs(values.reduce(0, +))
    // Sums that differ only by rounding are equal.
    let limit = observed - 1e-12 * values.reduce(0) { $0 + abs($1) }
    return values.count <= exactTraces
      ? Self.allSigns(values, limit) : drawnSigns(values, limit)
  }

  /// Returns the share of all signs whose sum is at least as large. Exponential in the number of
  /// values.
  private static func allSigns(_ values: [Double], _ limit: Double) -> Double {
    // Inverting all signs does not change the size, so the last is fixed; each step inverts one
    // sign (Gray code).
    let free = values.count - 1
    var signs = [Double](repeating: 1, count: values.count)
    var sum = values.reduce(0, +)
    var reached = abs(sum) >= limit ? 1 : 0
    for step in 1..<(1 << free) {
      let turned = step.trailingZeroBitCount
      signs[turned] = -signs[turned]
      sum += 2 * signs[turned] * values[turned]
      if abs(sum) >= limit { reached += 1 }
    }
    return Double(reached) / Double(1 << free)
  }

  /// Returns the share of drawn signs, including the observed ones. Eight values take one step.
  private func drawnSigns(_ values: [Double], _ limit: Double) -> Double {
    // The sums of eight values each under all their signs, one after the other.
    let sums = stride(from: 0, to: values.count, by: 8).flatMap { first in
      let group = values[first..<min(first + 8, values.count)]
      return (0..<256).map { signs in
        group.enumerated().reduce(0.0) {
          $0 + ((signs >> $1.offset) & 1 == 0 ? $1.element : -$1.element)
        }
      }
    }
    let table = sums.span
    var random = SplitMix64(seed: seed)
    var reached = 0
    for _ in 0..<draws {
      var (sum, bits) = (0.0, UInt64(0))
      for first in stride(from: 0, to: table.count, by: 256) {
        if first % 2048 == 0 { bits = random.next() }
        sum += table[first + Int(bits & 255)]
        bits >>= 8
      }
      if abs(sum) >= limit { reached += 1 }
    }
    return Double(reached + 1) / Double(draws + 1)
  }

  /// Returns the number of traces below which no difference can be significant with this number of
  /// comparisons.
  func fewestTraces(comparisons: Int) -> Int {
    var count = 1
    var least = Double(max(comparisons, 1))
    while least > level {
      least /= 2
      count += 1
    }
    return count
  }
}

/// Holm's adjustment of p-values for multiple comparisons, which controls the familywise error rate
/// under any dependence.
///
/// Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of
/// Statistics 6, 1979.
enum Holm {
  static func adjusted(_ probabilities: [Double]) -> [Double] {
    let count = probabilities.count
    let order = probabilities.indices.sorted {
      (probabilities[$0], $0) < (probabilities[$1], $1)
    }
    var adjusted = probabilities
    var greatest = 0.0
    for (rank, index) in order.enumerated() {
      greatest = max(greatest, min(1, Double(count - rank) * probabilities[index]))
      adjusted[index] = greatest
    }
    return adjusted
  }

  /// Adjusts comparisons that are made together; those without a p-value do not count. Each kind of
  /// claim about equivalence is a family.
  static func adjust(_ comparisons: inout [PairedComparison]) {
    let tested = comparisons.indices.filter { comparisons[$0].p != nil }
    let values = adjusted(tested.compactMap { comparisons[$0].p })
    for (index, value) in zip(tested, values) { comparisons[index].adjusted = value }
    var equivalences = comparisons.map(\.equivalence)
    adjust(&equivalences)
    for index in comparisons.indices { comparisons[index].equivalence = equivalences[index] }
  }

  /// Adjusts comparisons over devices and sites that are made together.
  static func adjust(_ comparisons: inout [MixedComparison]) {
    let tested = comparisons.indices.filter { comparisons[$0].p != nil }
    let values = adjusted(tested.compactMap { comparisons[$0].p })
    for (index, value) in zip(tested, values) { comparisons[index].adjusted = value }
  }

  /// Adjusts tests of equivalence that are made together.
  static func adjust(_ tests: inout [EquivalenceTest?]) {
    let made = tests.indices.filter { tests[$0] != nil }
    for kind in [\EquivalenceTest.notWorse, \.equivalent, \.worse] {
      let values = adjusted(made.compactMap { tests[$0]?[keyPath: kind] })
      for (index, value) in zip(made, values) { tests[index]?[keyPath: kind] = value }
    }
  }
}
