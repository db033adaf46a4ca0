import Geometry
import Support

/// The fusion of estimates whose correlation is unknown (covariance intersection).
///
/// C = (Σ ω_k C_k⁻¹)⁻¹ and p = C Σ ω_k C_k⁻¹ p_k. For any weights ω_k ≥ 0 that sum to 1, C bounds
/// the covariance of the error of p if the C_k bound those of the p_k. The weights minimise det C,
/// the size of the ellipse.
///
/// Julier & Uhlmann, "A Non-divergent Estimation Algorithm in the Presence of Unknown
/// Correlations", ACC 1997. The weights follow the multiplicative algorithm of optimal design, ω_k
/// ← ω_k tr(C C_k⁻¹) / d, which raises det C⁻¹ in every step: Silvey, Titterington & Torsney,
/// Commun. Statist. A7, 1978.
struct CovarianceIntersection {
  let shares: [Double]
  let place: SpacePoint
  let covariance: SymmetricMatrix3

  /// - Parameters:
  ///   - places: The estimates, at least one.
  ///   - informations: The inverse covariances, positive definite.
  init?(_ places: [SpacePoint], informations: [SymmetricMatrix3]) {
    var shares = [Double](repeating: 1 / Double(places.count), count: places.count)
    var covariance = SymmetricMatrix3()
    for step in 1... {
      var information = SymmetricMatrix3()
      for (share, member) in zip(shares, informations) { information.add(member, weight: share) }
      guard let inverse = information.inverse else { return nil }
      covariance = inverse
      // At the optimal weights no member's trace exceeds the mean, which is d.
      let traces = informations.map { inverse.dot($0) / 3 }
      guard step < Self.mostSteps, let most = traces.max(), most > 1 + Self.tolerance else { break }
      for index in shares.indices { shares[index] *= traces[index] }
      let total = shares.reduce(0, +)
      for index in shares.indices { shares[index] /= total }
    }
    var sum = SpacePoint(x: 0, y: 0, z: 0)
    for (index, place) in places.enumerated() {
      sum = sum + shares[index] * informations[index].times(place - places[0])
    }
    self.shares = shares
    self.covariance = covariance
    place = places[0] + covariance.times(sum)
  }

  /// Any weights are valid: the last digits of the smallest ellipse are not worth the time.
  private static let mostSteps = 1000
  private static let tolerance = 1e-6
}

/// The answers of several algorithms, weighted by their inverse covariances (`inverse-covariance`).
///
/// The members use the same levels, so their errors are correlated in an unknown way, and the usual
/// Σ C_k⁻¹ would count each level once per member. ``CovarianceIntersection`` avoids that: its
/// covariance is valid for any correlation, and its ellipse is not larger than the smallest
/// member's. A member that refuses or has no covariance is omitted and listed in
/// ``Estimate/leftOut``.
public struct InverseCovariance: PositioningAlgorithm {
  static let kind = AlgorithmKind(
    "inverse-covariance", "the answers of algorithms, weighted by their inverse covariances",
    [
      .text(
        "of", mustBe: "names joined by +", example: "maximum-likelihood+power-center",
        "the algorithms")
    ], isInAll: false
  ) { values throws(RSSIError) in
    let text = values.specification.text
    var members: [any PositioningAlgorithm] = []
    for name in values.text("of").split(separator: "+").map(String.init) {
      guard !members.contains(where: { $0.name == name }) else {
        throw RSSIError(.usage, "\"\(text)\" has the member \(name) twice")
      }
      members.append(try Algorithms.named(name))
    }
    guard !members.isEmpty else {
      throw RSSIError(
        .usage, "\"\(text)\" has no members: write of=maximum-likelihood+power-center")
    }
    return InverseCovariance(members, name: text)
  }

  public let name: String
  public var isCausal: Bool { members.allSatisfy(\.isCausal) }
  private let members: [any PositioningAlgorithm]

  /// Creates a combination of algorithms.
  public init(_ members: [any PositioningAlgorithm], name: String = "inverse-covariance") {
    self.members = members
    self.name = name
  }

  public func locate(_ scans: [Scan], in surroundings: Surroundings) -> [Outcome] {
    let ensemble = Ensemble(members, asked: scans, in: surroundings)
    return scans.indices.map { outcome(of: ensemble, $0, in: surroundings.dimensions) }
  }

  public func track(in surroundings: Surroundings) -> (any LiveTrack)? {
    EnsembleTrack(members, in: surroundings) { outcome(of: $0, $1, in: surroundings.dimensions) }
  }

  private func outcome(of ensemble: Ensemble, _ scan: Int, in dimensions: Surroundings.Dimensions)
    -> Outcome
  {
    var (answers, leftOut) = ensemble.answers(to: scan)
    var places: [SpacePoint] = []
    var informations: [SymmetricMatrix3] = []
    answers.removeAll { member, estimate in
      let reason: Uncertainty.Reason
      switch estimate.uncertainty {
      case .unavailable(let why): reason = why
      case .covariance(let covariance):
        if let information = SymmetricMatrix3(covariance).inverse {
          places.append(SpacePoint(estimate.position, z: estimate.height ?? 0))
          informations.append(information)
          return false
        }
        reason = .collinearAnchors
      }
      leftOut[members[member].name] = .withoutCovariance(reason)
      return true
    }
    guard !answers.isEmpty,
      let joined = CovarianceIntersection(places, informations: informations)
    else { return .refused(.noMemberAnswered) }
    let isSpace = dimensions == .space
    var estimate = Estimate(
      position: joined.place.planar, height: isSpace ? joined.place.z : nil,
      uncertainty: .firstOrder(joined.covariance.covariance(in: dimensions)))
    estimate.leftOut = leftOut
    return .located(estimate)
  }
}
