package import Geometry

/// Inflated discs about the three nearest anchors (`epta`).
///
/// All radii grow by a tenth until two or three intersections of the circles lie in all three
/// discs. The answer is the centroid of these points. Constant time: at most 500 iterations.
///
/// For exact ranges, the answer is exact for targets inside the anchors' triangle and inconsistent
/// outside it, where the discs overlap before any growth. This reproduces the intended behaviour of
/// the C port in olferuk/IBeaconLocation, with its growth factor of 1.1 in single precision, so
/// that answers agree digit for digit. Only in the plane. ``WeightedOneCentre`` is the same idea
/// without a step size.
public struct EPTA: EpochAlgorithm {
  static let kind = AlgorithmKind(
    "epta", "the centroid of the inner points of inflated discs"
  ) { _ in EPTA() }

  public var name: String { Self.kind.name }

  /// Creates the algorithm, which has no parameters.
  public init() {}

  public func estimate(
    _ observations: [Observation], in surroundings: Surroundings
  ) throws(Refusal) -> Estimate {
    let nearest = try observations.threeNearest()
    guard surroundings.dimensions == .plane else { throw .wrongDimensions }
    _ = try AnchorLayout(
      fixing: nearest.map(\.anchor), minimumBreadth: AnchorLayout.reliableBreadth)
    let position = try Self.innerCentroid(
      Circle(nearest[0]), Circle(nearest[1]), Circle(nearest[2]))
    return Estimate(position: position, uncertainty: .unavailable(.noErrorModel))
  }

  static let growth = Double(Float(1.1))
  static let maximumPasses = 500
  /// The distance by which a point may lie outside a disc and still count as inside, in metres.
  static let tolerance = 1e-2

  /// Returns the centroid of the two or three inner points of three circles, in metres.
  ///
  /// Throws ``Refusal/noCommonPoint`` if no two circles intersect in an iteration, and
  /// ``Refusal/notConverged`` if the iteration never leaves two or three inner points, as on a site
  /// no larger than the tolerance.
  package static func innerCentroid(
    _ a: Circle, _ b: Circle, _ c: Circle
  ) throws(Refusal) -> Point {
    guard a.isValid, b.isValid, c.isValid else { throw .invalidRange }
    // Mirrored inner points of collinear anchors would average to a point on their line.
    _ = try AnchorLayout(
      fixing: [a.centre, b.centre, c.centre], minimumBreadth: AnchorLayout.singularBreadth)
    var (a, b, c) = (a, b, c)
    for _ in 0..<maximumPasses {
      let pairs = (
        a.intersections(with: b), a.intersections(with: c), b.intersections(with: c)
      )
      if pairs.0 == nil, pairs.1 == nil, pairs.2 == nil { throw .noCommonPoint }
      var (x, y, count) = (0.0, 0.0, 0)
      func take(_ pair: (Point, Point)?) {
        guard let pair else { return }
        for p in [pair.0, pair.1]
        where a.contains(p, tolerance: tolerance) && b.contains(p, tolerance: tolerance)
          && c.contains(p, tolerance: tolerance)
        {
          x += p.x
          y += p.y
          count += 1
        }
      }
      take(pairs.0)
      take(pairs.1)
      take(pairs.2)
      if count == 2 || count == 3 { return Point(x: x / Double(count), y: y / Double(count)) }
      a.radius *= growth
      b.radius *= growth
      c.radius *= growth
    }
    throw .notConverged
  }
}
