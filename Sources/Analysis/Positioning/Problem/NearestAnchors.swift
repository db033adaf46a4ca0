extension Collection<Observation> {
  /// The observations with the smallest range, nearest first; equal ranges keep their order.
  ///
  /// In space the slant range counts. Linear in the number of observations for a small limit.
  func nearest(
    _ limit: Int, in dimensions: Surroundings.Dimensions = .plane
  ) -> [Observation] {
    var nearest: [(range: Double, observation: Observation)] = []
    nearest.reserveCapacity(Swift.min(limit, count) + 1)
    for observation in self {
      let range = dimensions == .space ? observation.slantRange : observation.range
      let place = nearest.firstIndex { range < $0.range } ?? nearest.endIndex
      guard place < limit else { continue }
      nearest.insert((range, observation), at: place)
      if nearest.count > limit { nearest.removeLast() }
    }
    return nearest.map(\.observation)
  }

  /// The three nearest of valid observations; throws the reason where there are none.
  func threeNearest(
    in dimensions: Surroundings.Dimensions = .plane
  ) throws(Refusal) -> [Observation] {
    guard allSatisfy(\.isValid) else { throw .invalidRange }
    guard count >= 3 else { throw .tooFewAnchors }
    return nearest(3, in: dimensions)
  }
}
