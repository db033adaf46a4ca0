import Geometry
import NumericalMethods

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

extension SignificanceTest {
  /// The probability of a mean at least so far from 0 if every value were as likely with the other
  /// sign: two-sided, at least 2^(1 - n); nil without values.
  ///
  /// All signs are tried up to `exactTraces` values. Beyond, some are drawn, and the probability is
  /// (b + 1) / (m + 1) of m draws of which b reach the mean, which never claims too much (Phipson &
  /// Smyth, "Permutation p-values should never be zero", 2010).
  func signFlips(_ values: [Double]) -> Double? {
    guard !values.isEmpty else { return nil }
    let observed = abs(values.reduce(0, +))
    // Sums that differ by rounding alone are equal.
    let limit = observed - 1e-12 * values.reduce(0) { $0 + abs($1) }
    return values.count <= exactTraces
      ? Self.allSigns(values, limit) : drawnSigns(values, limit)
  }

  /// Of all signs, the share whose sum is at least so large. Exponential in the values.
  private static func allSigns(_ values: [Double], _ limit: Double) -> Double {
    // Turning all signs changes no size, so the last keeps its own; each step turns one sign
    // (Gray's code).
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

  /// The share of drawn signs, with the signs found among them. Eight values take one step.
  private func drawnSigns(_ values: [Double], _ limit: Double) -> Double {
    // The sums of each eight values under all their signs, one after the other.
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

  /// How few values can never be significant: with so many of one sign they can, however many
  /// comparisons are made along with it.
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

/// Adjusts probabilities for having made many comparisons: the chance of any false claim among them
/// stays at the level, however they depend on each other.
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

  /// Adjusts comparisons that are made together; those without a probability do not count.
  static func adjust(_ comparisons: inout [PairedComparison]) {
    let tested = comparisons.indices.filter { comparisons[$0].p != nil }
    let values = adjusted(tested.compactMap { comparisons[$0].p })
    for (index, value) in zip(tested, values) { comparisons[index].adjusted = value }
  }
}
