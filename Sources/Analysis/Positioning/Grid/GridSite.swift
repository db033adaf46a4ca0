import Geometry

extension Surroundings {
  /// Where a grid is laid for some scans: the search bounds or, where nothing is known of the site,
  /// the box about the anchors that were heard, padded by its longer side or by twice the nearest
  /// range, whichever is longer.
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

  /// The heights of a grid, in metres; nil in the plane.
  ///
  /// Where the bounds have none, from the floor at 0 to the highest anchor, and 2 m at least:
  /// a person who carries a target stands on the floor and holds it no higher.
  func gridHeights(for observations: [Observation]) -> ClosedRange<Double>? {
    guard dimensions == .space else { return nil }
    if let heights = searchBounds?.heights { return heights }
    let known = anchors.map(\.heightDifference) + observations.map(\.heightDifference)
    return min(known.min() ?? 0, 0)...max(known.max() ?? 2, 2)
  }

  /// The longer side in metres of the cells of trackers on a grid, where the site is too large for
  /// cells that walls ask for, and walls stop nothing; nil on all other sites.
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
