import Geometry
import RealModule
package import Support

/// The place that makes the levels most likely under log-normal shadowing (`maximum-likelihood`).
///
/// Minimises C(p) = Σ ℓ((rssi_i - P_i - b + 10 n_i log10 d_i) / σ_i) in the bounds, with the
/// squared loss or a robust one, and with b = 0 or an offset that is common to all levels of the
/// device. C has a pole at every anchor and a valley on every anchor's circle, hence several
/// minima; branch and bound proves that none is lower than the answer (by more than 1e-9 of 1 + C
/// in the plane with squared loss and no offset, else 1e-8). Every answer is proven: where the
/// budget of the proof is used up, it refuses as not converged.
///
/// Patwari et al., "Relative Location Estimation in Wireless Sensor Networks", IEEE T-SP 2003.
package struct MaximumLikelihood: PositioningAlgorithm {
  /// Whether the device's common offset is looked for.
  enum Offset: String, CaseIterable, Sendable {
    case none, estimate
  }

  static let kind = AlgorithmKind(
    "maximum-likelihood", "the place that makes the levels most likely, proven",
    [
      .choice("loss", default: LossFunction.squared, "loss of residuals"),
      .choice("offset", default: Offset.none, "offset of the device, common to all levels"),
    ]
  ) { MaximumLikelihood($0) }

  var loss: LossFunction
  var offset: Offset

  package var name: String {
    var settings: [String] = []
    if loss != .squared { settings.append("loss=\(loss.rawValue)") }
    if offset != .none { settings.append("offset=\(offset.rawValue)") }
    return Self.kind.name + (settings.isEmpty ? "" : ":" + settings.joined(separator: ","))
  }

  package init(_ values: ParameterValues = kind.defaults) {
    (loss, offset) = (values.choice("loss"), values.choice("offset"))
  }

  package func track(in surroundings: Surroundings) -> (any LiveTrack)? {
    IndependentTrack(self, in: surroundings)
  }

  package func locate(_ scans: [Scan], in surroundings: Surroundings) -> [Outcome] {
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

  /// The place in the plane for the squared loss, by bounds that a batch shares.
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
    guard let answer else { throw .notConverged }
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
