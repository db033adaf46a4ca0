import Geometry

/// Damped Newton descent of a ``LevelCost`` inside a box, without allocation.
///
/// The Hessian is lifted by a multiple of the unit matrix until it is positive definite and the
/// step goes downhill (Levenberg 1944; Nocedal & Wright, "Numerical Optimization", chapter 3.4), so
/// that the path does not depend on the axes. The whole Hessian, not JᵀJ alone: under shadowing the
/// residuals stay large at the minimum, and Gauss–Newton would creep.
struct Descent {
  let cost: LevelCost
  let box: SearchBox

  /// The place and cost reached from a start, when a step is shorter than the tolerance times the
  /// box, or the steps run out.
  func run(from start: Point, tolerance: Double, maximumSteps: Int) -> (place: Point, cost: Double)
  {
    var place = start
    var here = cost.expansion(at: place)
    var damping = 0.0
    let shortest = tolerance * box.length
    for _ in 0..<maximumSteps {
      var (xx, xy, yy) = (here.xx + here.bentXX, here.xy + here.bentXY, here.yy + here.bentYY)
      let spread = (0.25 * (xx - yy) * (xx - yy) + xy * xy).squareRoot()
      let leastCurvature = 0.5 * (xx + yy) - spread
      let trace = here.xx + here.yy
      let lift =
        leastCurvature > 0
        ? damping * trace : max(damping, Self.leastDamping) * trace - leastCurvature
      xx += lift
      yy += lift
      var (gx, gy) = (here.gx, here.gy)
      // On the edge, a direction that leads out is not a freedom: go along the edge.
      if box.holdsX(place, pull: gx) { (gx, xy) = (0, 0) }
      if box.holdsY(place, pull: gy) { (gy, xy) = (0, 0) }
      let determinant = xx * yy - xy * xy
      guard determinant > 0 else { break }
      let next = box.clamp(
        Point(
          x: place.x - (yy * gx - xy * gy) / determinant,
          y: place.y - (xx * gy - xy * gx) / determinant))
      let there = cost.expansion(at: next)
      let length = place.distance(to: next)
      if there.cost < here.cost {
        (place, here) = (next, there)
        // Without damping the last steps each double the digits.
        damping = damping > Self.leastDamping ? damping * 0.1 : 0
      } else {
        damping = max(damping, Self.leastDamping) * 5
      }
      if length < shortest { break }
    }
    return (place, here.cost)
  }

  private static let leastDamping = 1e-3
}
