import Geometry
internal import NumericalMethods
import RealModule

/// Nonlinear least squares on ranges (`range-least-squares`).
///
/// Minimises Σ ((|p - a_i| - s_i) / (δ_i s_i))²: the error of a range from a level is proportional
/// to the range, with the relative standard deviation δ_i = σ_i ln10 / 10 n_i. Levenberg–Marquardt
/// (GSL) from several starts: the weighted centroid, and the pairwise intersections or closest
/// points of the circles about the four nearest anchors, in space at both ends of the height range.
/// The best result is not proven to be the global minimum.
///
/// The covariance is the ``AnswerError`` in the plane, and (JᵀJ)⁻¹, of first order, in space.
/// Residuals proportional to s_i favour places too near to the anchors, because the error of a range
/// is skewed; the likelihood of levels has no such bias.
public struct RangeLeastSquares: EpochAlgorithm {
  static let kind = AlgorithmKind(
    "range-least-squares", "nonlinear least squares on ranges, each weighted by its error"
  ) { _ in RangeLeastSquares() }

  public var name: String { Self.kind.name }

  /// Creates the algorithm, which has no parameters.
  public init() {}

  public func estimate(
    _ observations: [Observation], in surroundings: Surroundings
  ) throws(Refusal) -> Estimate {
    guard observations.allSatisfy(\.isValid) else { throw .invalidRange }
    let isSpatial = surroundings.dimensions == .space
    let site = LikelihoodSite(surroundings)
    var heights: [Double] = []
    var mirror: ((SpacePoint) -> SpacePoint)?
    if isSpatial {
      guard observations.count >= 4 else { throw .tooFewAnchors }
      mirror = try AnchorMirror(observations.map { SpacePoint($0.anchor, z: $0.heightDifference) })
        .mirror
      let range = site.heights(of: observations)
      heights = [range.lowerBound, range.upperBound]
    } else {
      _ = try AnchorLayout(
        fixing: observations.lazy.map(\.anchor), minimumBreadth: AnchorLayout.reliableBreadth)
    }
    let origin = Nearby(observations).centroid
    var best: NonlinearFit?
    for start in starts(observations, origin) {
      for height in isSpatial ? heights : [0] {
        let fit = Self.fit(
          observations, origin, from: [start.x, start.y] + (isSpatial ? [height] : []))
        if fit.hasConverged, fit.residualSumOfSquares < best?.residualSumOfSquares ?? .infinity {
          best = fit
        }
      }
    }
    guard let best, best.parameters.allSatisfy(\.isFinite) else { throw .notConverged }
    let p = best.parameters
    let place = Point(x: origin.x + p[0], y: origin.y + p[1])
    guard isSpatial else {
      return LinearLeastSquares.answer(place, to: observations, in: surroundings)
    }
    return Estimate(
      position: place, height: p[2], uncertainty: Self.uncertainty(best.covariance),
      alternative: mirror?(SpacePoint(place, z: p[2])))
  }

  private static func uncertainty(_ covariance: [Double]?) -> Uncertainty {
    guard let c = covariance else { return .unavailable(.collinearAnchors) }
    return .covariance(
      Covariance(
        xx: c[0], xy: c[1], yy: c[4], vertical: Covariance.Vertical(xz: c[2], yz: c[5], zz: c[8])))
  }

  /// Returns starting places relative to the origin, which is the weighted centroid.
  private func starts(_ observations: [Observation], _ origin: Point) -> [Point] {
    var places = [Point(x: 0, y: 0)]
    let circles = observations.nearest(4).map { Circle($0) }
    for (i, a) in circles.enumerated() {
      for b in circles[(i + 1)...] {
        if let (left, right) = a.intersections(with: b) {
          places += [left, right].map { Point(x: $0.x - origin.x, y: $0.y - origin.y) }
        } else if let between = a.between(b) {
          places.append(Point(x: between.x - origin.x, y: between.y - origin.y))
        }
      }
    }
    return places
  }

  private static func fit(
    _ observations: [Observation], _ origin: Point, from start: [Double]
  ) -> NonlinearFit {
    let terms = observations.map { o in
      let range = o.slantRange
      return (
        x: o.anchor.x - origin.x, y: o.anchor.y - origin.y, z: o.heightDifference, range: range,
        scale: 1 / (range * o.relativeRangeError)
      )
    }
    let isSpatial = start.count == 3
    return NonlinearFit(
      from: start,
      residuals: { p in
        terms.map { t in
          let (dx, dy, dz) = (p[0] - t.x, p[1] - t.y, (isSpatial ? p[2] : 0) - t.z)
          return ((dx * dx + dy * dy + dz * dz).squareRoot() - t.range) * t.scale
        }
      },
      jacobian: { p in
        terms.flatMap { t -> [Double] in
          let (dx, dy, dz) = (p[0] - t.x, p[1] - t.y, (isSpatial ? p[2] : 0) - t.z)
          let length = max((dx * dx + dy * dy + dz * dz).squareRoot(), .leastNormalMagnitude)
          let factor = t.scale / length
          return isSpatial ? [dx * factor, dy * factor, dz * factor] : [dx * factor, dy * factor]
        }
      })
  }
}
