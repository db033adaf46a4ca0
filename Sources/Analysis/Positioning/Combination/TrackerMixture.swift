import Geometry
import Support

/// The equal mixture of trackers, such as the particle filter and the grid filter
/// (`tracker-mixture`).
///
/// The approximations of these two differ: particles follow the shadowing along a path, and cells
/// cover every place. With the answers x_k and covariances C_k of n members,
///
///     x = Σ x_k / n,  C = Σ (C_k + (x_k - x) (x_k - x)ᵀ) / n
///
/// are the mean and the covariance of the mixture of their posteriors. Weights by C_k⁻¹ would
/// follow the member that claims most. A member that refuses or has no covariance is omitted and
/// listed in ``Estimate/leftOut``.
///
/// Hoeting et al., "Bayesian model averaging: a tutorial", Statistical Science 14 (1999), section 2.
public struct TrackerMixture: PositioningAlgorithm {
  static let kind = AlgorithmKind(
    "tracker-mixture", "the mean of particle-filter and grid-filter",
    [.map, .silence, .seed], isInAll: false
  ) { values in
    let particles = following(ParticleFilter(), values)
    return TrackerMixture("tracker-mixture", [particles, GridFilter(grid(values))])
  }

  static let smootherKind = AlgorithmKind(
    "smoother-mixture", "the mean of particle-smoother and grid-smoother, for recordings",
    [.map, .silence, .seed], isInAll: false
  ) { values in
    let particles = following(.smoother, values)
    return TrackerMixture("smoother-mixture", [particles, GridSmoother(grid(values))])
  }

  public let name: String
  private let members: [any PositioningAlgorithm]

  /// Creates the mixture of some algorithms, which count if they have covariances.
  public init(_ name: String, _ members: [any PositioningAlgorithm]) {
    (self.name, self.members) = (name, members)
  }

  private static func following(
    _ filter: ParticleFilter, _ values: ParameterValues
  ) -> ParticleFilter {
    var filter = filter
    (filter.usesMap, filter.usesSilence) = (values.flag("map"), values.flag("silence"))
    filter.seed = UInt64(values.number("seed"))
    return filter
  }

  private static func grid(_ values: ParameterValues) -> GridSettings {
    var grid = GridSettings()
    (grid.usesMap, grid.usesSilence) = (values.flag("map"), values.flag("silence"))
    return grid
  }

  public var isCausal: Bool { members.allSatisfy(\.isCausal) }

  public func locate(_ scans: [Scan], in surroundings: Surroundings) -> [Outcome] {
    let ensemble = Ensemble(members, asked: scans, in: surroundings)
    return scans.indices.map { outcome(of: ensemble, $0) }
  }

  public func track(in surroundings: Surroundings) -> (any LiveTrack)? {
    EnsembleTrack(members, in: surroundings) { outcome(of: $0, $1) }
  }

  private func outcome(of ensemble: Ensemble, _ scan: Int) -> Outcome {
    var (answers, leftOut) = ensemble.answers(to: scan)
    var claims: [(estimate: Estimate, covariance: Covariance)] = []
    for answer in answers {
      switch answer.estimate.uncertainty {
      case .covariance(let covariance): claims.append((answer.estimate, covariance))
      case .unavailable(let reason):
        leftOut[members[answer.member].name] = .withoutCovariance(reason)
      }
    }
    guard !claims.isEmpty else {
      // All members have the site's reason, such as a missing survey.
      return .refused(ensemble.firstRefusal(of: scan) ?? .noMemberAnswered)
    }
    var mixture = Self.mixture(claims)
    mixture.leftOut = leftOut
    return .located(mixture)
  }

  /// Returns the mean and the covariance of the mixture, with a height if all members have one.
  static func mixture(_ claims: [(estimate: Estimate, covariance: Covariance)]) -> Estimate {
    let share = 1 / Double(claims.count)
    let places = claims.map { SpacePoint($0.estimate.position, z: $0.estimate.height ?? 0) }
    let hasHeight = claims.allSatisfy { $0.estimate.height != nil }
    let mean = places.reduce(SpacePoint(x: 0, y: 0, z: 0)) { $0 + share * $1 }
    var covariance = SymmetricMatrix3()
    for (claim, place) in zip(claims, places) {
      covariance.add(SymmetricMatrix3(claim.covariance), weight: share)
      covariance.add(place - mean, weight: share)
    }
    return Estimate(
      position: mean.planar, height: hasHeight ? mean.z : nil,
      uncertainty: .firstOrder(covariance.covariance(in: hasHeight ? .space : .plane)))
  }
}
