import Geometry

extension Surroundings {
  /// Returns the bounds of the grid for some observations: the search bounds or, for an unknown
  /// site, the box around the received anchors, padded by the larger of its longer side and twice
  /// the nearest range.
  func gridBounds(for observations: [Observation]) -> Bounds? {
    if let searchBounds { return searchBounds }
    guard let box = Bounds(around: observations.lazy.map(\.anchor)),
      let nearest = observations.map(\.range).min()
    else { return nil }
    let longer = max(box.maximum.x - box.minimum.x, box.maximum.y - box.minimum.y)
    let padding = max(longer, 2 * nearest)
    return Bounds(
      minimum: Point(x: box.minimum.x - padding, y: box.minimum.y - padding),
      maximum: Point(x: box.maximum.x + padding, y: box.maximum.y + padding))
  }

  /// Returns the heights of a grid, in metres, or `nil` in the plane.
  ///
  /// Without heights in the bounds, they extend from the floor at 0 to the highest anchor, at least
  /// to 2 m, because a person who carries a target stands on the floor and holds it no higher.
  func gridHeights(for observations: [Observation]) -> ClosedRange<Double>? {
    guard dimensions == .space else { return nil }
    if let heights = searchBounds?.heights { return heights }
    let known = anchors.map(\.heightDifference) + observations.map(\.heightDifference)
    return min(known.min() ?? 0, 0)...max(known.max() ?? 2, 2)
  }

  /// The longer side in metres of the cells of grid trackers, if the site is too large for cells
  /// fine enough to resolve walls, so that walls are ignored; `nil` on all other sites.
  package var coarseCell: Double? {
    guard !walls.isEmpty, let bounds = searchBounds,
      let shape = Grid.shape(
        bounds, heights: gridHeights(for: []), rooms: rooms, margin: Grid.halfWall,
        largestCell: Grid.longestBesideWalls),
      shape.isCoarse
    else { return nil }
    return max(shape.width, shape.depth)
  }
}
