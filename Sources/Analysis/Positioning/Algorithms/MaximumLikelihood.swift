import Geometry
import RealModule
package import Support

/// The maximum-likelihood position under log-normal shadowing (`maximum-likelihood`).
///
/// Minimises C(p) = Σ ℓ((rssi_i - P_i - b + 10 n_i log10 d_i) / σ_i) in the bounds, with the
/// squared loss or a robust one, and with b = 0 or an offset common to all levels of the device. C
/// has a pole at every anchor and a valley on every anchor's circle, hence several minima. Branch
/// and bound proves that no minimum is lower than the answer (to 1e-9 of 1 + C in the plane with
/// squared loss and no offset, else 1e-8). Every answer is proven: if the proof exceeds its budget,
/// the algorithm refuses as not converged.
///
/// Patwari et al., "Relative Location Estimation in Wireless Sensor Networks", IEEE T-SP 2003.
public struct MaximumLikelihood: PositioningAlgorithm {
  /// The treatment of the offset common to all levels of the device.
  enum Offset: String, CaseIterable, Sendable {
    case none, estimate
  }

  static let kind = AlgorithmKind(
    "maximum-likelihood", "the most likely place, proven to be the global optimum",
    [
      .choice("loss", default: LossFunction.squared, "loss function of the residuals"),
      .choice("offset", default: Offset.none, "offset of the device common to all levels"),
    ]
  ) { MaximumLikelihood($0) }

  var loss: LossFunction
  var offset: Offset

  public var name: String {
    var settings: [String] = []
    if loss != .squared { settings.append("loss=\(loss.rawValue)") }
    if offset != .none { settings.append("offset=\(offset.rawValue)") }
    return Self.kind.name + (settings.isEmpty ? "" : ":" + settings.joined(separator: ","))
  }

  /// Creates the algorithm with the defaults of its parameters.
  public init() { self.init(Self.kind.defaults) }

  package init(_ values: ParameterValues) {
    (loss, offset) = (values.choice("loss"), values.choice("offset"))
  }

  public func track(in surroundings: Surroundings) -> (any LiveTrack)? {
    IndependentTrack(self, in: surroundings)
  }

  public func locate(_ scans: [Scan], in surroundings: Surroundings) -> [Outcome] {
    var site = LikelihoodSite(surroundings)
    var search = PlaneSearch()
    return scans.map { scan in
      do throws(Refusal) {
        let observations = scan.observations
        guard observations.allSatisfy(\.isValid) else { throw .invalidRange }
        guard surroundings.dimensions == .plane else {
          return .located(try spatial(observations, site))
        }
        guard observations.count >= 3 + (offset == .none ? 0 : 1) else { throw .tooFewAnchors }
        _ = try AnchorLayout(
          fixing: observations.lazy.map(\.anchor), minimumBreadth: AnchorLayout.reliableBreadth)
        return .located(
          loss == .squared && offset == .none
            ? try planar(observations, &site, &search) : try general(observations, site))
      } catch {
        return .refused(error)
      }
    }
  }

  /// Returns the position in the plane for the squared loss, with bounds that the batch shares.
  private func planar(
    _ observations: [Observation], _ site: inout LikelihoodSite, _ search: inout PlaneSearch
  ) throws(Refusal) -> Estimate {
    let nearby = Nearby(observations)
    let answer = site.withGround(of: observations, nearestRange: nearby.range) { ground, isShared in
      ground.tree.trim()
      let cost = LevelCost(
        observations, origin: ground.origin, leastSquaredDistance: ground.tree.leastSquared)
      let start = ground.box.clamp(
        Point(x: nearby.centroid.x - ground.origin.x, y: nearby.centroid.y - ground.origin.y))
      search.load(observations, isShared: isShared)
      return search.minimum(of: cost, tree: &ground.tree, box: ground.box, start: start).map {
        best in
        Estimate(
          position: Point(x: ground.origin.x + best.place.x, y: ground.origin.y + best.place.y),
          uncertainty: Self.uncertainty(cost, at: best.place, in: ground.box))
      }
    }
    guard var answer else { throw .notConverged }
    // In a known site nothing better lies beyond the edge.
    if answer.uncertainty == .unavailable(.onTheEdge), let bounds = site.bounds {
      answer.uncertainty = AnswerError(observations, bounds: bounds).uncertainty(
        of: answer.position)
    }
    return answer
  }

  private static func uncertainty(_ cost: LevelCost, at place: Point, in box: SearchBox)
    -> Uncertainty
  {
    guard box.hasInside(place) else { return .unavailable(.onTheEdge) }
    guard let covariance = cost.likelihoodCovariance(about: place, box: box) else {
      return .unavailable(.collinearAnchors)
    }
    return .covariance(covariance)
  }
}

extension MaximumLikelihood {
  /// The largest offset of a device that is searched, in dB; phones differ by up to 20 dB.
  static let largestOffset = 40.0

  /// Returns the position in the plane for any loss, with the offset if it is requested.
  func general(
    _ observations: [Observation], _ site: LikelihoodSite
  ) throws(Refusal) -> Estimate {
    try estimate(observations, site, heights: nil)
  }

  /// Returns the place and the height.
  ///
  /// This needs four anchors that are not on a line, and one more for the offset. If they are
  /// coplanar, the mirror image explains the levels equally well. If it is inside the bounds, it is
  /// reported as the alternative, and the lower of the two is the answer, because anchors usually
  /// hang above targets.
  func spatial(
    _ observations: [Observation], _ site: LikelihoodSite
  ) throws(Refusal) -> Estimate {
    guard observations.count >= 4 + (offset == .none ? 0 : 1) else { throw .tooFewAnchors }
    let layout = try AnchorMirror(
      observations.map { SpacePoint($0.anchor, z: $0.heightDifference) })
    let heights = site.heights(of: observations)
    var answer = try estimate(observations, site, heights: heights)
    guard let height = answer.height, let mirror = layout.mirror else { return answer }
    let place = SpacePoint(answer.position, z: height)
    let image = mirror(place)
    let box = site.box(
      of: observations, nearestRange: Nearby(observations, isOffset: offset == .estimate).range)
    guard box.clamp(image.planar) == image.planar, heights.contains(image.z) else { return answer }
    guard image.z < height else {
      answer.alternative = image
      return answer
    }
    // The covariance of the mirror image is recomputed at the image itself.
    let (problem, origin) = problem(observations, site, heights: heights)
    let q = SIMD4(
      image.x - origin.x, image.y - origin.y, image.z, offsetAt(problem, place: image, origin))
    return Estimate(
      position: image.planar, height: image.z,
      uncertainty: uncertainty(problem, at: q), alternative: place)
  }

  private func offsetAt(_ problem: LevelProblem, place: SpacePoint, _ origin: Point) -> Double {
    guard offset == .estimate else { return 0 }
    return problem.descent(from: SIMD4(place.x - origin.x, place.y - origin.y, place.z, 0)).unknowns
      .w
  }

  private func estimate(
    _ observations: [Observation], _ site: LikelihoodSite, heights: ClosedRange<Double>?
  ) throws(Refusal) -> Estimate {
    let (problem, origin) = problem(observations, site, heights: heights)
    let centroid = Nearby(observations).centroid
    var start = 0.5 * (problem.low + problem.high)
    (start.x, start.y) = (centroid.x - origin.x, centroid.y - origin.y)
    var search = CertifiedSearch()
    guard let best = search.minimum(of: problem, start: start) else { throw .notConverged }
    let q = best.unknowns
    return Estimate(
      position: Point(x: origin.x + q.x, y: origin.y + q.y), height: heights == nil ? nil : q.z,
      uncertainty: uncertainty(problem, at: q))
  }

  /// Returns the inverse Fisher information over the loss's efficiency; an estimated offset is
  /// marginalised (Schur complement).
  private func uncertainty(_ problem: LevelProblem, at q: SIMD4<Double>) -> Uncertainty {
    guard problem.axes.allSatisfy({ q[$0] > problem.low[$0] && q[$0] < problem.high[$0] }) else {
      return .unavailable(.onTheEdge)
    }
    guard let c = problem.expansion(at: q).information.inverse(of: problem.axes) else {
      return .unavailable(.collinearAnchors)
    }
    let factor = 1 / loss.efficiency
    return .covariance(
      Covariance(
        xx: c[0, 0] * factor, xy: c[0, 1] * factor, yy: c[1, 1] * factor,
        vertical: problem.axes.contains(2)
          ? Covariance.Vertical(xz: c[0, 2] * factor, yz: c[1, 2] * factor, zz: c[2, 2] * factor)
          : nil))
  }

  private func problem(
    _ observations: [Observation], _ site: LikelihoodSite, heights: ClosedRange<Double>?
  ) -> (problem: LevelProblem, origin: Point) {
    let isOffset = offset == .estimate
    let box = site.box(
      of: observations, nearestRange: Nearby(observations, isOffset: isOffset).range)
    let origin = Point(
      x: (box.minimum.x + box.maximum.x) / 2, y: (box.minimum.y + box.maximum.y) / 2)
    let half = SIMD4(
      box.maximum.x - origin.x, box.maximum.y - origin.y, 0, isOffset ? Self.largestOffset : 0)
    var (low, high) = (-half, half)
    if let heights { (low.z, high.z) = (heights.lowerBound, heights.upperBound) }
    let terms = observations.map { o in
      LevelProblem.Term(
        place: SIMD4(o.anchor.x - origin.x, o.anchor.y - origin.y, o.heightDifference, 0),
        logSquaredRange: o.logSquaredRange, steepness: 0.5 / o.relativeRangeDeviation,
        inverseSigma: isOffset ? 1 / o.sigma : 0)
    }
    let length = max(half.x, half.y)
    let problem = LevelProblem(
      terms: terms, loss: loss, axes: [0, 1] + (heights == nil ? [] : [2]) + (isOffset ? [3] : []),
      low: low, high: high, leastSquared: max(1e-24 * length * length, .leastNormalMagnitude))
    return (problem, origin)
  }
}
