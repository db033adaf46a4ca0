import Geometry

/// Four rectangles of a plane, the parts of one: halves of both its sides, or quarters of the
/// longer one where that is more than twice the other.
struct PlaneBlock {
  /// The rectangles' middles.
  let x: SIMD4<Double>
  let y: SIMD4<Double>
  /// Half their common sides.
  let halfWidth: Double
  let halfDepth: Double

  init(dividing x: Double, _ y: Double, halfWidth: Double, halfDepth: Double) {
    let quarters = SIMD4(-0.75, -0.25, 0.25, 0.75)
    if halfWidth > 2 * halfDepth {
      (self.x, self.y) = (x + quarters * halfWidth, SIMD4(repeating: y))
      (self.halfWidth, self.halfDepth) = (halfWidth / 4, halfDepth)
    } else if halfDepth > 2 * halfWidth {
      (self.x, self.y) = (SIMD4(repeating: x), y + quarters * halfDepth)
      (self.halfWidth, self.halfDepth) = (halfWidth, halfDepth / 4)
    } else {
      self.x = x + SIMD4(-0.5, 0.5, -0.5, 0.5) * halfWidth
      self.y = y + SIMD4(-0.5, -0.5, 0.5, 0.5) * halfDepth
      (self.halfWidth, self.halfDepth) = (halfWidth / 2, halfDepth / 2)
    }
  }

  /// The square of half a rectangle's diagonal.
  var squaredRadius: Double { halfWidth * halfWidth + halfDepth * halfDepth }

  /// The parts of one of its rectangles.
  func divided(_ lane: Int) -> PlaneBlock {
    PlaneBlock(dividing: x[lane], y[lane], halfWidth: halfWidth, halfDepth: halfDepth)
  }

  /// Which rectangles reach farther from a place than a radius.
  func reaches(beyond radius: Double, from place: Point) -> SIMDMask<SIMD4<Int64>> {
    let (dx, dy) = (x - place.x, y - place.y)
    let farX = dx.replacing(with: -dx, where: dx .< 0) + halfWidth
    let farY = dy.replacing(with: -dy, where: dy .< 0) + halfDepth
    return farX * farX + farY * farY .> radius * radius
  }
}
