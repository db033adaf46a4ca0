import Geometry
import RealModule

/// Least squares on the differences of squared ranges, over all anchors (`linear-least-squares`).
///
/// |p - a_i|² = r_i² minus the mean of these equations is linear in p. With b_i = a_i - ā and S = Σ
/// b_i b_iᵀ, the solution is p = ā + S⁻¹ ½ Σ b_i (|b_i|² - r_i²). For three anchors in the plane
/// this is the ``PowerCenter``. In space it uses slant ranges and needs at least four anchors that
/// are not coplanar. Linear in the number of anchors.
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
    case .plane: return try Self.planar(observations)
    case .space: return try Self.spatial(observations)
    }
  }

  /// Returns the position in the plane from valid observations.
  static func planar(_ observations: [Observation]) throws(Refusal) -> Estimate {
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
    return Estimate(
      position: Point(x: layout.centroid.x + u.x, y: layout.centroid.y + u.y),
      uncertainty: .firstOrder(Self.covariance(observations, layout: layout)))
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

  /// Returns the position in the plane, with `position` as the closed-form solution for three
  /// circles.
  static func planar(
    _ nearest: [Observation], by place: (Circle, Circle, Circle) throws(Refusal) -> Point
  ) throws(Refusal) -> Estimate {
    let layout = try AnchorLayout(
      fixing: nearest.map(\.anchor), minimumBreadth: AnchorLayout.reliableBreadth)
    let position = try place(Circle(nearest[0]), Circle(nearest[1]), Circle(nearest[2]))
    return Estimate(
      position: position, uncertainty: .firstOrder(covariance(nearest, layout: layout)))
  }

  /// Returns the first-order covariance for independent levels, in m²: ¼ S⁻¹ (Σ b bᵀ var(r²)) S⁻¹.
  ///
  /// An error of σ dB in a level changes the slant range s by the factor σ ln10 / 10n, and r² = s²
  /// - h² by 2 s² σ ln10 / 10n.
  static func covariance(_ observations: [Observation], layout: AnchorLayout) -> Covariance {
    var (xx, xy, yy) = (0.0, 0.0, 0.0)
    for observation in observations {
      let slant = observation.slantRange
      let halfDeviation = slant * slant * observation.relativeRangeDeviation
      let column = layout.solve(
        observation.anchor.x - layout.centroid.x, observation.anchor.y - layout.centroid.y)
      let (gx, gy) = (column.x * halfDeviation, column.y * halfDeviation)
      xx += gx * gx
      xy += gx * gy
      yy += gy * gy
    }
    return Covariance(xx: xx, xy: xy, yy: yy)
  }
}
