extension Surroundings {
  /// Where a grid is laid for some scans: the search bounds or, where nothing is known of the site, the
  /// box about the anchors that were heard, as for a maximum-likelihood search.
  func gridBounds(for observations: [Observation]) -> Bounds? {
    if let searchBounds { return searchBounds }
    guard !observations.isEmpty else { return nil }
    let box = SearchBox(
      around: observations.map(\.anchor),
      leastPadding: 2 * (observations.map(\.range).min() ?? 0))
    return Bounds(minimum: box.minimum, maximum: box.maximum)
  }

  /// The heights of a grid, in metres; nil in the plane.
  ///
  /// Where the bounds have none, from the floor at 0 to the highest anchor, and 2 m at least: whoever
  /// carries a target stands on the floor and holds it no higher.
  func gridHeights(for observations: [Observation]) -> ClosedRange<Double>? {
    guard dimensions == .space else { return nil }
    if let heights = searchBounds?.heights { return heights }
    let known = anchors.map(\.heightDifference) + observations.map(\.heightDifference)
    return min(known.min() ?? 0, 0)...max(known.max() ?? 2, 2)
  }
}
