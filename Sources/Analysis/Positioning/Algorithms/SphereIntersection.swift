package import Geometry

/// Trilateration in the frame of the three nearest anchors (`sphere-intersection`).
///
/// The first anchor is the origin, the second is on the x axis: e_x = (P2 - P1)/d, i = e_x·(P3 -
/// P1), e_y = (P3 - P1 - i e_x)/|…|, j = e_y·(P3 - P1); then u = (r1² - r2² + d²)/2d and v = (r1² -
/// r3² + i² + j²)/2j - u i/j. In the plane this is the radical centre by another route, so it
/// answers and refuses exactly as ``PowerCenter`` does. In space the three spheres meet in two
/// points, one on each side of the anchors' plane, see `SphereIntersection+Space.swift`. Constant
/// time.
///
/// Manolakis, "Efficient Solution and Performance Analysis of 3-D Position Estimation by
/// Trilateration", IEEE T-AES 1996.
package struct SphereIntersection: EpochAlgorithm {
  static let kind = AlgorithmKind(
    "sphere-intersection", "trilateration in the frame of the three nearest anchors"
  ) { _ in SphereIntersection() }

  package var name: String { Self.kind.name }

  package init() {}

  package func estimate(
    _ observations: [Observation], in surroundings: Surroundings
  ) throws(Refusal) -> Estimate {
    let nearest = try observations.threeNearest(in: surroundings.dimensions)
    if surroundings.dimensions == .space {
      return try Self.spatial(nearest, bounds: surroundings.searchBounds)
    }
    return try LinearLeastSquares.planar(nearest, by: Self.intersection)
  }

  /// The foot of the common points of three spheres about coplanar centres, in metres.
  package static func intersection(
    _ a: Circle, _ b: Circle, _ c: Circle
  ) throws(Refusal) -> Point {
    guard a.isValid, b.isValid, c.isValid else { throw .invalidRange }
    _ = try AnchorLayout(
      fixing: [a.centre, b.centre, c.centre], minimumBreadth: AnchorLayout.singularBreadth)
    let d = a.centre.distance(to: b.centre)
    let (exX, exY) = ((b.centre.x - a.centre.x) / d, (b.centre.y - a.centre.y) / d)
    let (cx, cy) = (c.centre.x - a.centre.x, c.centre.y - a.centre.y)
    let i = exX * cx + exY * cy
    // In the plane e_y is e_x turned by a quarter; j carries the side, and never loses digits.
    let (eyX, eyY) = (-exY, exX)
    let j = eyX * cx + eyY * cy
    let u = (a.radius * a.radius - b.radius * b.radius + d * d) / (2 * d)
    let v = (a.radius * a.radius - c.radius * c.radius + i * i + j * j) / (2 * j) - u * i / j
    return Point(x: a.centre.x + u * exX + v * eyX, y: a.centre.y + u * exY + v * eyY)
  }
}
