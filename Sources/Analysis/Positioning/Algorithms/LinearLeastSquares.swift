import Geometry
import RealModule

/// Least squares on the differences of squared ranges, over all anchors (`linear-least-squares`).
///
/// |p - a_i|² = r_i² minus the mean of these equations is linear in p. With b_i = a_i - ā and S = Σ
/// b_i b_iᵀ, the solution is p = ā + S⁻¹ ½ Σ b_i (|b_i|² - r_i²). For three anchors in the plane
/// this is the ``PowerCenter``. In space it uses slant ranges and needs at least four anchors that
/// are not coplanar. Linear in the number of anchors. The covariance is the ``AnswerError`` in the
/// plane, and of first order in space.
///
/// Unweighted as published, so the farthest anchor, which has the worst squared range, dominates,
/// and more anchors can make the answer worse. Caffery, "A New Approach to the Geometry of TOA
/// Location", VTC 2000.
public struct LinearLeastSquares: EpochAlgorithm {
  static let kind = AlgorithmKind(
    "linear-least-squares", "differences of squared ranges, over all anchors"
  ) { _ in LinearLeastSquares() }

  public var name: String { Self.kind.name }

  /// Creates the algorithm, which has no parameters.
  public init() {}

  public func estimate(
    _ observations: [Observation], in surroundings: Surroundings
  ) throws(Refusal) -> Estimate {
    guard observations.allSatisfy(\.isValid) else { throw .invalidRange }
    switch surroundings.dimensions {
    case .plane:
      return Self.answer(try Self.planar(observations), to: observations, in: surroundings)
    case .space: return try Self.spatial(observations)
    }
  }

  /// Returns the place in the plane from valid observations.
  static func planar(_ observations: [Observation]) throws(Refusal) -> Point {
    let layout = try AnchorLayout(
      fixing: observations.lazy.map(\.anchor), minimumBreadth: AnchorLayout.reliableBreadth)
    var (vx, vy) = (0.0, 0.0)
    for observation in observations {
      let bx = observation.anchor.x - layout.centroid.x
      let by = observation.anchor.y - layout.centroid.y
      let excess = (bx * bx + by * by - observation.range * observation.range) / 2
      vx += bx * excess
      vy += by * excess
    }
    let u = layout.solve(vx, vy)
    return Point(x: layout.centroid.x + u.x, y: layout.centroid.y + u.y)
  }

  /// Returns the position in space from valid observations.
  static func spatial(_ observations: [Observation]) throws(Refusal) -> Estimate {
    let layout = try SpaceLayout(fixing: observations.map(\.spaceAnchor))
    guard let inverse = layout.scatter.inverse else { throw .coplanarAnchors }
    var sum = SpacePoint(x: 0, y: 0, z: 0)
    var covariance = SymmetricMatrix3()
    for observation in observations {
      let b = observation.spaceAnchor - layout.centroid
      let slant = observation.slantRange
      sum = sum + ((b.dot(b) - slant * slant) / 2) * b
      covariance.add(
        inverse.times(slant * slant * observation.relativeRangeDeviation * b))
    }
    let place = layout.centroid + inverse.times(sum)
    return Estimate(
      position: place.planar, height: place.z,
      uncertainty: .firstOrder(covariance.covariance(in: .space)))
  }

  /// Returns the place in the plane that a closed form gives for three circles.
  static func planar(
    _ nearest: [Observation], by place: (Circle, Circle, Circle) throws(Refusal) -> Point
  ) throws(Refusal) -> Point {
    _ = try AnchorLayout(
      fixing: nearest.map(\.anchor), minimumBreadth: AnchorLayout.reliableBreadth)
    return try place(Circle(nearest[0]), Circle(nearest[1]), Circle(nearest[2]))
  }

  /// Returns the answer of a closed form in the plane, with its ``AnswerError`` given all levels.
  static func answer(
    _ place: Point, to observations: [Observation], in surroundings: Surroundings
  ) -> Estimate {
    Estimate(
      position: place,
      uncertainty: AnswerError.uncertainty(of: place, given: observations, in: surroundings))
  }
}
