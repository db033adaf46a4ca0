import NumericalMethods

/// The Hodges–Lehmann estimate of location: the median of the means of all pairs of values, each
/// value with itself included, with the confidence interval of Wilcoxon's signed-rank test.
///
/// Hodges & Lehmann, "Estimates of location based on rank tests", 1963. Nearly as efficient as the
/// mean for Gaussian values, and robust to outliers.
struct HodgesLehmann {
  private let sorted: [Double]
  private var pairs: Int { sorted.count * (sorted.count + 1) / 2 }

  init(_ values: [Double]) { sorted = values.sorted() }

  /// The estimate; `nil` without values.
  var estimate: Double? {
    guard !sorted.isEmpty else { return nil }
    let lower = pairMean((pairs + 1) / 2)
    return pairs % 2 == 1 ? lower : (lower + pairMean(pairs / 2 + 1)) / 2
  }

  /// Returns an interval with at least the given confidence; exact up to ``SignedRanks/exactCount``
  /// values.
  func interval(confidence: Double) -> IntervalOutcome {
    let tail = (1 - confidence) / 2
    var needed = 1
    var least = 0.5
    while least > tail {
      least /= 2
      needed += 1
    }
    guard sorted.count >= needed else {
      return .unavailable(.tooFewTraces(sorted.count, needed: needed))
    }
    // With at least `needed` values, the least sum alone does not exceed the tail.
    let rank = max(SignedRanks.quantile(tail, count: sorted.count), 1)
    return .interval(Interval(lower: pairMean(rank), upper: pairMean(pairs + 1 - rank)))
  }

  /// Returns the mean of the pair with a given rank, from 1, among those of all pairs.
  ///
  /// It bisects the bit patterns between the extremes: 64 passes over the values, whereas sorting
  /// the pairs would take their square.
  private func pairMean(_ rank: Int) -> Double {
    var (low, high) = (Self.key(sorted[0]) - 1, Self.key(sorted[sorted.count - 1]))
    while low + 1 < high {
      // Half their sum, without overflow.
      let middle = (low & high) + (low ^ high) >> 1
      if count(upTo: Self.value(middle)) >= rank { high = middle } else { low = middle }
    }
    return Self.value(high)
  }

  /// Returns the number of pairs with a mean of at most x.
  private func count(upTo x: Double) -> Int {
    var (count, partner) = (0, sorted.count)
    for first in sorted.indices {
      while partner > 0, (sorted[first] + sorted[partner - 1]) / 2 > x { partner -= 1 }
      // Each pair counts once: the partner is not before the first.
      guard partner > first else { break }
      count += partner - first
    }
    return count
  }

  /// Returns integers in the order of the numbers; 0 and -0 are equal.
  private static func key(_ value: Double) -> Int64 {
    let bits = Int64(bitPattern: value.bitPattern)
    return bits >= 0 ? bits : Int64.min &- bits
  }

  private static func value(_ key: Int64) -> Double {
    Double(bitPattern: UInt64(bitPattern: key >= 0 ? key : Int64.min &- key))
  }
}

/// The distribution of Wilcoxon's signed-rank sum of n values with random signs.
enum SignedRanks {
  /// The largest number of values for the exact distribution; beyond it, a Gaussian with the same
  /// moments is used.
  static let exactCount = 100

  /// Returns the least sum whose cumulative probability is at least p, as R's `qsignrank`.
  static func quantile(_ p: Double, count: Int) -> Int {
    let greatest = count * (count + 1) / 2
    guard count <= exactCount else {
      let n = Double(count)
      let deviation = (n * (n + 1) * (2 * n + 1) / 24).squareRoot()
      let place = Double(greatest) / 2 + NormalDistribution.quantile(p) * deviation
      return min(max(Int(place.rounded(.down)), 0), greatest)
    }
    var probabilities = [Double](repeating: 0, count: greatest + 1)
    probabilities[0] = 1
    for rank in 1...count {
      for sum in stride(from: rank * (rank + 1) / 2, through: 0, by: -1) {
        probabilities[sum] =
          (probabilities[sum] + (sum >= rank ? probabilities[sum - rank] : 0)) / 2
      }
    }
    var passed = 0.0
    for (sum, probability) in probabilities.enumerated() {
      passed += probability
      // The sums of powers of two are exact up to 53 ranks; beyond, rounding must not decide.
      if passed >= p * (1 - 1e-14) { return sum }
    }
    return greatest
  }
}
