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
/// the hull and nowhere else. The covariance is the ``AnswerError`` given all levels.
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
      let radical = try LinearLeastSquares.planar(nearest)
      guard ConvexHull(places).hasInside(radical) else { throw .outsideDomain }
    }
    return LinearLeastSquares.answer(centre.place, to: observations, in: surroundings)
  }
}
