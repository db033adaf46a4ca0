import Geometry
import Support

/// Several algorithms' answers weighted by their inverse covariances (`inverse-covariance`).
///
/// The members all use the same levels, so that their errors are correlated in an unknown way, and
/// the usual Σ C_k⁻¹ would count each level once for every member. ``CovarianceIntersection`` does
/// not: its covariance holds however the members' errors go together, and its ellipse is not larger
/// than the smallest member's. A member that refuses or has no covariance is left out, and named in
/// ``Estimate/leftOut``.
package struct InverseCovariance: PositioningAlgorithm {
  static let kind = AlgorithmKind(
    "inverse-covariance", "algorithms' answers weighted by their inverse covariances",
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

  package let name: String
  package var isCausal: Bool { members.allSatisfy(\.isCausal) }
  private let members: [any PositioningAlgorithm]

  package init(_ members: [any PositioningAlgorithm], name: String = "inverse-covariance") {
    self.members = members
    self.name = name
  }

  package func locate(_ scans: [Scan], in surroundings: Surroundings) -> [Outcome] {
    let ensemble = Ensemble(members, asked: scans, in: surroundings)
    return scans.indices.map { outcome(of: ensemble, $0, in: surroundings.dimensions) }
  }

  package func track(in surroundings: Surroundings) -> (any LiveTrack)? {
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
