import Geometry
package import Support

/// The first common point of discs about the nearest anchors that grow or shrink together
/// (`epta-one-centre`).
///
/// ``EPTA`` without a step size: p = argmin max_i |p - a_i| / r_i, the only point that the discs of
/// radius s r_i share at the least scale s at which they overlap, see ``OneCentre``. The answer
/// does not change if all ranges are wrong by the same factor, as with an unknown measured power.
///
/// The algorithm is valid inside the convex hull of the anchors. There, exact ranges give s = 1 and
/// the target itself; outside, the discs overlap before they grow, and the point is pulled inwards.
/// It therefore refuses with ``Refusal/outsideDomain`` if the discs had to shrink, s < 1, and the
/// ``PowerCenter`` of the same anchors is outside their hull: with exact ranges this is so outside
/// the hull and nowhere else. On the edge of the hull two anchors determine the point, and its
/// error across the edge is unknown.
///
/// Linear in the number of anchors.
public struct WeightedOneCentre: EpochAlgorithm {
  static let kind = AlgorithmKind(
    "epta-one-centre", "the first common point of discs that grow or shrink together",
    [.anchors]
  ) { WeightedOneCentre($0) }

  public var name: String { Self.kind.name }
  /// The number of nearest anchors to use, at least 3; `Int.max` for all.
  public var anchors: Int

  /// Creates the algorithm; fewer than 3 anchors count as 3.
  public init(anchors: Int) { self.anchors = max(3, anchors) }

  /// Creates the algorithm with the defaults of its parameters.
  public init() { self.init(Self.kind.defaults) }

  package init(_ values: ParameterValues) {
    self.init(anchors: values.count("anchors") ?? .max)
  }

  public func estimate(
    _ observations: [Observation], in surroundings: Surroundings
  ) throws(Refusal) -> Estimate {
    guard observations.allSatisfy(\.isValid) else { throw .invalidRange }
    guard observations.count >= 3 else { throw .tooFewAnchors }
    guard surroundings.dimensions == .plane else { throw .wrongDimensions }
    let nearest = observations.nearest(anchors)
    let places = nearest.map(\.anchor)
    _ = try AnchorLayout(fixing: places, minimumBreadth: AnchorLayout.reliableBreadth)
    let circles = nearest.map { Circle($0) }
    // A disc of radius 0 does not grow: directly below an anchor there is no common point other
    // than the anchor's.
    guard circles.allSatisfy({ $0.radius > 0 }) else { throw .outsideDomain }
    guard let centre = OneCentre(circles) else { throw .coincidentAnchors }
    if centre.scale < 1 {
      let radical = try LinearLeastSquares.planar(nearest).position
      guard ConvexHull(places).hasInside(radical) else { throw .outsideDomain }
    }
    guard centre.holders.count == 3 else {
      return Estimate(position: centre.place, uncertainty: .unavailable(.tooFewAnchors))
    }
    return Estimate(
      position: centre.place,
      uncertainty: Self.uncertainty(at: centre, of: centre.holders.map { nearest[$0] }))
  }

  /// Returns the first-order covariance for independent levels.
  ///
  /// From ln |p - a_i| - ln s = ln r_i for the three anchors that determine the point: with the
  /// rows ((p - a_i) / d_i², -1) of A, the block of the place of A⁻¹ diag(var ln r_i) A⁻ᵀ. An error
  /// of σ dB in a level changes the slant range s by the relative error δ = σ ln10 / 10n, and the
  /// range r below an anchor at height h by δ s² / r².
  private static func uncertainty(
    at centre: OneCentre, of held: [Observation]
  ) -> Uncertainty {
    let rows = held.map { observation in
      let (dx, dy) = (centre.place.x - observation.anchor.x, centre.place.y - observation.anchor.y)
      let squared = dx * dx + dy * dy
      return SpacePoint(x: dx / squared, y: dy / squared, z: -1)
    }
    let determinant = rows[0].dot(rows[1].cross(rows[2]))
    guard determinant != 0, determinant.isFinite else { return .unavailable(.collinearAnchors) }
    var covariance = SymmetricMatrix3()
    for index in 0..<3 {
      let column = (1 / determinant) * rows[(index + 1) % 3].cross(rows[(index + 2) % 3])
      let (slant, range) = (held[index].slantRange, held[index].range)
      let deviation = held[index].relativeRangeDeviation * slant * slant / (range * range)
      covariance.add(deviation * column)
    }
    return .firstOrder(covariance.covariance(in: .plane))
  }
}
