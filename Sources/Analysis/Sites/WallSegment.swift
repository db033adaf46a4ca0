/// A straight piece of a wall.
struct WallSegment: Sendable {
  let from: Micrometres
  let to: Micrometres
  /// The index of its kind.
  let kind: Int
  /// The loss of a crossing in dB; nil where it is unknown.
  let attenuation: Double?

  /// Where a path meets the piece.
  enum Meeting {
    case nowhere
    /// At one place between the path's ends.
    case crossing(PathFraction)
    /// All the way from one place to another: the path runs along the wall.
    case stretch(PathFraction, PathFraction)
  }

  /// - Parameter path: from the start to the end, not zero.
  func meets(from start: Micrometres, along path: Micrometres) -> Meeting {
    let a = path.cross(from - start)
    let b = path.cross(to - start)
    if (a > 0 && b > 0) || (a < 0 && b < 0) { return .nowhere }
    if a == 0 && b == 0 {
      let length = path.dot(path)
      let (p, q) = (path.dot(from - start), path.dot(to - start))
      let (first, last) = (max(0, min(p, q)), min(length, max(p, q)))
      guard first < last else { return .nowhere }
      return .stretch(PathFraction(first, length), PathFraction(last, length))
    }
    let wall = to - from
    let place = PathFraction((from - start).cross(wall), path.cross(wall))
    return place.isBetweenEnds ? .crossing(place) : .nowhere
  }
}
