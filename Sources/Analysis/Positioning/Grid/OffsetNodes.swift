import RealModule

/// Values of an error that all levels have in common, by which its unknown size is summed over.
///
/// Normal with a mean of 0: steps of half a deviation, up to 2.5 of them, which sums what levels of
/// some anchors leave of it to a thousandth.
struct OffsetNodes {
  /// In dB, each with half its squared standard score.
  let all: [(offset: Double, cost: Float)]

  /// - Parameter deviation: in dB; 0 for no such error.
  init(deviation: Double) {
    all =
      deviation > 0
      ? (-5...5).map {
        let score = Double($0) / 2
        return (score * deviation, Float(score * score / 2))
      } : [(0, 0)]
  }

  /// What the costs at all nodes are together: -ln Σ exp(-cost).
  func sum(_ costs: [[Float]]) -> [Float] {
    guard costs.count > 1 else { return costs[0] }
    return costs[0].indices.map { cell in
      var least = Float.infinity
      for index in costs.indices { least = min(least, costs[index][cell] + all[index].cost) }
      guard least.isFinite else { return least }
      var total: Float = 0
      for index in costs.indices {
        total += Float.exp(least - costs[index][cell] - all[index].cost)
      }
      return least - Float.log(total)
    }
  }
}
