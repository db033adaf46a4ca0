import Geometry

/// The pairs of surveyed levels of each anchor, with the distances of their stretches.
///
/// A pair of stretches at which several anchors were received is evaluated once for all of them.
struct StretchPairs {
  /// The distances of the nodes of all distinct pairs in metres, with the products of their weights.
  private var nodes: [(distance: Double, share: Double)] = []
  /// The index of the first node of each distinct pair, and the number of nodes.
  private var starts = [0]
  /// The number of the distinct pair of each anchor's levels i and j ≤ i, at i (i + 1) / 2 + j.
  private(set) var numbers: [[Int]] = []

  /// - Parameter levels: The levels of each anchor.
  init(_ levels: [[SurveyedLevel]]) {
    let shared = SharedPlaces(levels)
    var known: [SIMD2<Int>: Int] = [:]
    for places in shared.numbers {
      var numbers: [Int] = []
      for (index, a) in places.enumerated() {
        for b in places[...index] {
          let key = SIMD2(min(a, b), max(a, b))
          if let number = known[key] {
            numbers.append(number)
            continue
          }
          numbers.append(known.count)
          known[key] = known.count
          shared.places[key.x].forEachNode { first, share in
            shared.places[key.y].forEachNode { second, other in
              nodes.append((first.distance(to: second), share * other))
            }
          }
          starts.append(nodes.count)
        }
      }
      self.numbers.append(numbers)
    }
  }

  /// Returns the covariance of the means of f over each distinct pair in dB², with its derivative
  /// with respect to the logarithm of the length; see ``LevelVariation``.
  func covariances(_ variation: LevelVariation) -> [(value: Double, slope: Double)] {
    let scale = variation.spread * variation.spread
    return starts.indices.dropLast().map { number in
      var sum = (value: 0.0, slope: 0.0)
      for node in nodes[starts[number]..<starts[number + 1]] {
        let correlation = variation.kernel.correlation(node.distance / variation.length)
        sum.value += node.share * correlation.value
        sum.slope += node.share * correlation.slope
      }
      return (scale * sum.value, scale * sum.slope)
    }
  }
}
