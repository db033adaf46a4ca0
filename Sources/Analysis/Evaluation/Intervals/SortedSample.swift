/// Numbers in ascending order, with their quantiles.
package struct SortedSample: Equatable, Sendable {
  package let values: [Double]

  package init(_ values: some Sequence<Double>) { self.values = values.sorted() }

  /// Returns the value below which a share p of the sample lies, or `nil` for an empty sample.
  ///
  /// Linear between order statistics at (n - 1) p: type 7 of Hyndman & Fan, "Sample Quantiles in
  /// Statistical Packages", 1996, the default of numpy and R.
  package func quantile(_ p: Double) -> Double? {
    guard !values.isEmpty else { return nil }
    let rank = QuantileRank(p, count: values.count)
    return rank.interpolate(values[rank.lower], values[rank.upper])
  }
}

extension SortedSample {
  /// Returns the number of values up to a limit.
  package func count(upTo limit: Double) -> Int {
    var (low, high) = (0, values.count)
    while low < high {
      let middle = (low + high) / 2
      if values[middle] <= limit { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// The position of a quantile of type 7 between order statistics, counted from 0.
struct QuantileRank {
  let lower: Int
  let upper: Int
  private let share: Double

  /// - Parameters:
  ///   - p: The share, between 0 and 1.
  ///   - count: The size of the sample, positive.
  init(_ p: Double, count: Int) {
    precondition(p >= 0 && p <= 1 && count > 0, "expected a share from 0 to 1 and a sample")
    let place = p * Double(count - 1)
    lower = Int(place)
    upper = min(lower + 1, count - 1)
    share = place - Double(lower)
  }

  func interpolate(_ a: Double, _ b: Double) -> Double { a == b ? a : a + share * (b - a) }
}
