import Geometry
import NumericalMethods

/// The area that a target can reach, and the paths that walls leave open.
struct WalkableArea {
  let bounds: Bounds
  let heights: ClosedRange<Double>?
  private let rooms: [(box: Bounds, room: Polygon)]
  private let walls: [Segment]

  init(_ surroundings: Surroundings, bounds: Bounds, anchors: [Anchor]) {
    self.bounds = bounds
    rooms = surroundings.rooms.compactMap { room in
      Bounds(around: room.corners).map { (box: $0, room: room) }
    }
    walls = surroundings.walls
    heights =
      switch surroundings.dimensions {
      case .plane: nil
      case .space: bounds.heights ?? Self.heights(about: anchors)
      }
  }

  /// Returns the heights from 3 m (a storey) below the lowest anchor to 3 m above the highest.
  private static func heights(about anchors: [Anchor]) -> ClosedRange<Double> {
    let heights = anchors.map(\.heightDifference)
    return ((heights.min() ?? 0) - 3)...((heights.max() ?? 0) + 3)
  }

  func contains(_ place: Point) -> Bool {
    guard bounds.contains(place) else { return false }
    return rooms.isEmpty || rooms.contains { $0.box.contains(place) && $0.room.contains(place) }
  }

  /// Returns a Boolean value that is true if the straight path between two places is open.
  func allows(_ from: Point, _ to: Point) -> Bool {
    contains(to) && !walls.contains { $0.isCrossed(from: from, to: to) }
  }

  /// Returns a mask of the places that are inside.
  func contains(_ place: PlaceBlock) -> SIMDMask<SIMD8<Int32>> {
    if rooms.isEmpty { return isBounded(place) }
    var isInside = SIMDMask<SIMD8<Int32>>(repeating: false)
    for lane in 0..<8 { isInside[lane] = contains(point(place, lane)) }
    return isInside
  }

  /// Returns a mask of the pairs of places whose straight path is open.
  func allows(_ from: PlaceBlock, _ to: PlaceBlock) -> SIMDMask<SIMD8<Int32>> {
    if rooms.isEmpty, walls.isEmpty { return isBounded(to) }
    var isAllowed = SIMDMask<SIMD8<Int32>>(repeating: false)
    for lane in 0..<8 { isAllowed[lane] = allows(point(from, lane), point(to, lane)) }
    return isAllowed
  }

  private func isBounded(_ place: PlaceBlock) -> SIMDMask<SIMD8<Int32>> {
    let width = Float(bounds.maximum.x - bounds.minimum.x)
    let depth = Float(bounds.maximum.y - bounds.minimum.y)
    return (place.x .>= 0) .& (place.x .<= width) .& (place.y .>= 0) .& (place.y .<= depth)
  }

  private func point(_ place: PlaceBlock, _ lane: Int) -> Point {
    Point(
      x: bounds.minimum.x + Double(place.x[lane]), y: bounds.minimum.y + Double(place.y[lane]))
  }

  /// Returns the nearest heights in the area.
  func clamp(height: SIMD8<Float>) -> SIMD8<Float> {
    guard let heights else { return height }
    return height.most(Float(heights.lowerBound)).least(Float(heights.upperBound))
  }

  /// Returns the nearest place in the bounds.
  func clamp(_ place: Point) -> Point {
    Point(
      x: min(max(place.x, bounds.minimum.x), bounds.maximum.x),
      y: min(max(place.y, bounds.minimum.y), bounds.maximum.y))
  }
}

extension Bounds {
  fileprivate func contains(_ place: Point) -> Bool {
    place.x >= minimum.x && place.x <= maximum.x && place.y >= minimum.y && place.y <= maximum.y
  }
}

extension Segment {
  /// Returns a Boolean value that is true if a path meets the wall; touching its end counts.
  func isCrossed(from a: Point, to b: Point) -> Bool {
    guard max(a.x, b.x) >= min(from.x, to.x), min(a.x, b.x) <= max(from.x, to.x),
      max(a.y, b.y) >= min(from.y, to.y), min(a.y, b.y) <= max(from.y, to.y)
    else { return false }
    func side(_ p: Point, _ q: Point, _ r: Point) -> Double {
      (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x)
    }
    return side(from, to, a) * side(from, to, b) <= 0 && side(a, b, from) * side(a, b, to) <= 0
  }
}
