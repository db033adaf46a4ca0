import Geometry

/// Where a receiver on a walk is, and how far it has come, at times that never fall.
struct Walker {
  private var corners: Walk.Iterator
  private var from: Waypoint
  private var to: Waypoint
  private var walkedBefore = 0.0

  /// Stands at the walk's first corner, or nil where the walk has none.
  init?(_ walk: Walk) {
    corners = walk.makeIterator()
    guard let first = corners.next() else { return nil }
    from = first
    to = corners.next() ?? first
  }

  /// The place, in metres, and the distance walked since the start, in metres; nil after the end.
  mutating func advance(to time: Int64) -> (position: Point, walked: Double)? {
    while time > to.time {
      guard let next = corners.next() else { return nil }
      walkedBefore += from.position.distance(to: to.position)
      from = to
      to = next
    }
    let share = to.time > from.time ? Double(time - from.time) / Double(to.time - from.time) : 0
    let position = Point(
      x: from.position.x + share * (to.position.x - from.position.x),
      y: from.position.y + share * (to.position.y - from.position.y))
    return (position, walkedBefore + from.position.distance(to: position))
  }
}
