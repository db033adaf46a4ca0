package import Geometry
package import Support

/// The radical centre of the circles about the nearest anchors (`power-center`).
///
/// The radical axes of three circles meet in the point that has the same power |p - a|² - r² to all
/// three: the position, if the ranges are exact. There is an answer unless the anchors are
/// collinear, even if the circles do not intersect, hence the heavy tails under noise.
///
/// For more than three circles it is the point where the powers differ least from their mean, which
/// is ``LinearLeastSquares`` over these anchors. In space it is the radical centre of four or more
/// spheres.
///
/// The covariance is the ``AnswerError`` given all levels, and of first order in space. If the
/// anchors are collinear to the survey's precision, the algorithm refuses.
///
/// The closed form published as "ToTal" in olferuk/IBeaconLocation; Pierlot & Van Droogenbroeck, "A
/// New Three Object Triangulation Algorithm for Mobile Robot Positioning", IEEE T-RO 2014, have it
/// as the last step of an algorithm for bearings.
public struct PowerCenter: EpochAlgorithm {
  static let kind = AlgorithmKind(
    "power-center", "the point with equal power to the circles about the nearest anchors",
    [.anchors]
  ) { PowerCenter($0) }

  public var name: String { Self.kind.name }
  /// The number of nearest anchors to use, at least 3, or 4 in space; `Int.max` for all.
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
    guard surroundings.dimensions == .plane else {
      return try LinearLeastSquares.spatial(observations.nearest(max(4, anchors), in: .space))
    }
    let place =
      anchors == 3
      ? try LinearLeastSquares.planar(observations.threeNearest(), by: Self.radicalCentre)
      : try LinearLeastSquares.planar(observations.nearest(anchors))
    return LinearLeastSquares.answer(place, to: observations, in: surroundings)
  }

  /// Returns the point with equal power to three circles, in metres.
  ///
  /// Throws only if the arithmetic fails: invalid radii, or centres that coincide or are collinear
  /// to 1e-12 of their extent.
  package static func radicalCentre(
    _ a: Circle, _ b: Circle, _ c: Circle
  ) throws(Refusal) -> Point {
    guard a.isValid, b.isValid, c.isValid else { throw .invalidRange }
    let layout = try AnchorLayout(
      fixing: [a.centre, b.centre, c.centre], minimumBreadth: AnchorLayout.singularBreadth)
    // Coordinates about the centroid keep the squares small, so the subtraction loses no digits.
    let o = layout.centroid
    func half(_ circle: Circle) -> (x: Double, y: Double, k: Double) {
      let (x, y) = (circle.centre.x - o.x, circle.centre.y - o.y)
      return (x, y, (x * x + y * y - circle.radius * circle.radius) / 2)
    }
    let (p, q, s) = (half(a), half(b), half(c))
    let determinant = (p.x - q.x) * (q.y - s.y) - (p.y - q.y) * (q.x - s.x)
    let x = ((p.k - q.k) * (q.y - s.y) - (p.y - q.y) * (q.k - s.k)) / determinant
    let y = ((p.x - q.x) * (q.k - s.k) - (p.k - q.k) * (q.x - s.x)) / determinant
    return Point(x: o.x + x, y: o.y + y)
  }
}
