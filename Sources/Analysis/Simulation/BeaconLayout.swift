import Geometry

/// Places on the walls of a room, well spread for every number of them.
///
/// The k-th stands at the fraction (u + k φ) mod 1 of the perimeter, φ = (√5 - 1) / 2: each new one
/// divides one of the widest gaps, the first N are the same for every N, and no three in a row
/// share a wall, because they span 0.618 of the perimeter and a wall is less than half of it.
/// Source: Knuth, "The Art of Computer Programming", volume 3, section 6.4, theorem S.
struct BeaconLayout {
  let width: Double
  let depth: Double
  /// The fraction u of the perimeter at which the first one stands.
  let offset: Double

  /// The k-th place, in metres, counted from 0.
  func position(of index: Int) -> Point {
    let golden = (5.0.squareRoot() - 1) / 2
    let turn = offset + Double(index) * golden
    return position(along: (turn - turn.rounded(.down)) * 2 * (width + depth))
  }

  /// The place after so many metres along the walls, anticlockwise from the origin.
  func position(along length: Double) -> Point {
    switch length {
    case ..<width: Point(x: length, y: 0)
    case ..<(width + depth): Point(x: width, y: length - width)
    case ..<(2 * width + depth): Point(x: 2 * width + depth - length, y: depth)
    default: Point(x: 0, y: max(0, 2 * (width + depth) - length))
    }
  }
}
