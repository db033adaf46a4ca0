package import Geometry

/// Trilateration in the frame of the three nearest anchors (`sphere-intersection`).
///
/// The first anchor is the origin, and the second is on the x axis: e_x = (P2 - P1)/d, i = e_x·(P3
/// - P1), e_y = (P3 - P1 - i e_x)/|…|, j = e_y·(P3 - P1); then u = (r1² - r2² + d²)/2d and v = (r1²
/// - r3² + i² + j²)/2j - u i/j. In the plane this is another route to the radical centre, so it
/// answers and refuses exactly as ``PowerCenter`` does. In space the three spheres intersect in two
/// points, one on each side of the anchors' plane; `spatial` selects one. The covariance is the
/// ``AnswerError`` in the plane, and of first order in space.
///
/// Manolakis, "Efficient Solution and Performance Analysis of 3-D Position Estimation by
/// Trilateration", IEEE T-AES 1996.
public struct SphereIntersection: EpochAlgorithm {
  static let kind = AlgorithmKind(
    "sphere-intersection", "trilateration in the frame of the three nearest anchors"
  ) { _ in SphereIntersection() }

  public var name: String { Self.kind.name }

  /// Creates the algorithm, which has no parameters.
  public init() {}

  public func estimate(
    _ observations: [Observation], in surroundings: Surroundings
  ) throws(Refusal) -> Estimate {
    let nearest = try observations.threeNearest(in: surroundings.dimensions)
    if surroundings.dimensions == .space {
      return try Self.spatial(nearest, bounds: surroundings.searchBounds)
    }
    return LinearLeastSquares.answer(
      try LinearLeastSquares.planar(nearest, by: Self.intersection), to: observations,
      in: surroundings)
  }

  /// Returns the foot of the common points of three spheres about coplanar centres, in metres.
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
    // In the plane e_y is e_x rotated by 90°; j carries the sign and loses no digits.
    let (eyX, eyY) = (-exY, exX)
    let j = eyX * cx + eyY * cy
    let u = (a.radius * a.radius - b.radius * b.radius + d * d) / (2 * d)
    let v = (a.radius * a.radius - c.radius * c.radius + i * i + j * j) / (2 * j) - u * i / j
    return Point(x: a.centre.x + u * exX + v * eyX, y: a.centre.y + u * exY + v * eyY)
  }
}

extension SphereIntersection {
  /// The two intersections of three spheres: their foot on the plane of the centres, and their
  /// distance from it along the unit normal.
  struct SpacePair {
    var foot: SpacePoint
    /// The normal of the plane of the centres, pointing up.
    var normal: SpacePoint
    /// The squared distance of both points from the plane, in m²; negative if the spheres do not
    /// intersect.
    var squaredDistance: Double
  }

  /// Returns the common points of three spheres about centres that are not collinear, in metres.
  static func pair(_ centres: [SpacePoint], _ radii: [Double]) -> SpacePair {
    let (b, c) = (centres[1] - centres[0], centres[2] - centres[0])
    let d = b.length
    let ex = (1 / d) * b
    let i = ex.dot(c)
    let across = c - i * ex
    let j = across.length
    let ey = (1 / j) * across
    var normal = ex.cross(ey)
    if normal.z < 0 { normal = -1 * normal }
    let (first, second, third) = (
      radii[0] * radii[0], radii[1] * radii[1], radii[2] * radii[2]
    )
    let u = (first - second + d * d) / (2 * d)
    let v = (first - third + i * i + j * j) / (2 * j) - u * i / j
    return SpacePair(
      foot: centres[0] + u * ex + v * ey, normal: normal,
      squaredDistance: first - u * u - v * v)
  }

  /// Returns the position in space from three valid observations.
  ///
  /// The estimate is the one of two points inside the bounds: first by height, then by the
  /// rectangle. If both are, it is the lower one, because anchors are mounted above the people and
  /// things that carry the target. If the spheres do not intersect, the answer is the foot of their
  /// would-be intersections on the anchors' plane, with unknown error.
  static func spatial(
    _ nearest: [Observation], bounds: Bounds?
  ) throws(Refusal) -> Estimate {
    let centres = nearest.map(\.spaceAnchor)
    _ = try SpaceLayout(spanning: centres)
    let pair = Self.pair(centres, nearest.map(\.slantRange))
    guard pair.squaredDistance > 0 else {
      return Estimate(
        position: pair.foot.planar, height: pair.foot.z, uncertainty: .unavailable(.outsideDomain))
    }
    let step = pair.squaredDistance.squareRoot() * pair.normal
    var (place, other) = (pair.foot - step, pair.foot + step)
    if let bounds, rank(other, in: bounds) > rank(place, in: bounds) {
      swap(&place, &other)
    }
    return Estimate(
      position: place.planar, height: place.z,
      uncertainty: uncertainty(of: nearest, at: place, pair: pair), alternative: other)
  }

  /// Returns the number of bounds that a place satisfies; height comes before the plane.
  private static func rank(_ place: SpacePoint, in bounds: Bounds) -> Int {
    let isInRectangle =
      place.x >= bounds.minimum.x && place.x <= bounds.maximum.x && place.y >= bounds.minimum.y
      && place.y <= bounds.maximum.y
    let isInHeights = bounds.heights?.contains(place.z) ?? true
    return (isInHeights ? 2 : 0) + (isInRectangle ? 1 : 0)
  }

  /// Returns the first-order covariance for independent levels: with the unit vectors u_i = (p -
  /// a_i) / s_i as the rows of J, J⁻¹ diag((s_i δ_i)²) J⁻ᵀ.
  ///
  /// If the standard deviation along the normal exceeds the distance from the anchors' plane, the
  /// error reaches the mirrored solution, and the first order is meaningless.
  private static func uncertainty(
    of nearest: [Observation], at place: SpacePoint, pair: SpacePair
  ) -> Uncertainty {
    let rows = nearest.map { (1 / $0.slantRange) * (place - $0.spaceAnchor) }
    let determinant = rows[0].dot(rows[1].cross(rows[2]))
    guard determinant != 0 else { return .unavailable(.outsideDomain) }
    var covariance = SymmetricMatrix3()
    for index in 0..<3 {
      // A column of J⁻¹ is the cross product of the two other rows over the determinant.
      let column = (1 / determinant) * rows[(index + 1) % 3].cross(rows[(index + 2) % 3])
      let deviation = nearest[index].slantRange * nearest[index].relativeRangeDeviation
      covariance.add(deviation * column)
    }
    let across = pair.normal.dot(covariance.times(pair.normal))
    guard across <= pair.squaredDistance else { return .unavailable(.outsideDomain) }
    return .firstOrder(covariance.covariance(in: .space))
  }
}
