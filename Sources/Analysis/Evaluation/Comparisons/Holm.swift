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
