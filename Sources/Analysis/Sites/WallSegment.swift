/// A straight segment of a wall.
struct WallSegment: Sendable {
  let from: Micrometres
  let to: Micrometres
  /// The index of its kind.
  let kind: Int
  /// The loss of a crossing in dB; `nil` if it is unknown.
  let attenuation: Double?

  /// The intersection of a path with the segment.
  enum Meeting {
    case nowhere
    /// A single place between the path's ends.
    case crossing(PathFraction)
    /// A stretch between two places: the path runs along the wall.
    case stretch(PathFraction, PathFraction)
  }

  /// - Parameter path: The vector from the start to the end, not zero.
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

/// A position along a path, as an exact fraction of the path's length.
struct PathFraction: Comparable, Sendable {
  /// The numerator, of either sign; like the denominator, below 2^84.
  let numerator: Int128
  let denominator: Int128

  /// - Parameter denominator: The denominator, not zero.
  init(_ numerator: Int128, _ denominator: Int128) {
    self.numerator = denominator < 0 ? -numerator : numerator
    self.denominator = denominator < 0 ? -denominator : denominator
  }

  /// A Boolean value that is true if it is on the path, excluding its ends.
  var isBetweenEnds: Bool { numerator > 0 && numerator < denominator }

  static func == (a: Self, b: Self) -> Bool { order(a, b) == 0 }
  static func < (a: Self, b: Self) -> Bool { order(a, b) < 0 }

  private static func order(_ a: Self, _ b: Self) -> Int {
    let left = a.numerator.multipliedFullWidth(by: b.denominator)
    let right = b.numerator.multipliedFullWidth(by: a.denominator)
    if left.high != right.high { return left.high < right.high ? -1 : 1 }
    if left.low != right.low { return left.low < right.low ? -1 : 1 }
    return 0
  }
}
