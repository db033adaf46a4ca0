import Geometry
package import Support

/// The mean of several algorithms' answers, weighted by trust (`combination`).
///
/// p = Σ t_k p_k with the ``Trusts`` t_k. A member that refuses is omitted and listed in
/// ``Estimate/leftOut``; the trusts of the others are normalised. A member without trust never
/// runs. If all members with trust refuse, the combination refuses.
///
/// All members use the same levels, so their errors are not independent, and the covariance makes
/// no assumption about their correlation. For any shares ω_k that sum to 1, Σ t_k² C_k / ω_k bounds
/// the covariance of Σ t_k p_k; its trace is least for ω_k proportional to t_k √tr C_k: (Σ t_k √tr
/// C_k)², which is exact for fully correlated errors.
public struct TrustCombination: PositioningAlgorithm {
  static let kind = AlgorithmKind(
    "combination", "the mean of algorithms' answers: combination:power-center=1,epta=0.5",
    [
      .number(
        "NAME", in: 0 ... .greatestFiniteMagnitude, "trust in the algorithm NAME"
      ).forEveryName
    ],
    isInAll: false
  ) { values throws(RSSIError) in
    let (names, text) = (values.specification.written.map(\.name), values.specification.text)
    return TrustCombination(
      try names.map(Algorithms.named), trusts: try Trusts(names.map(values.number)), name: text)
  }

  public let name: String
  public var isCausal: Bool { members.allSatisfy(\.isCausal) }
  /// The members with trust, with their shares.
  private let members: [any PositioningAlgorithm]
  private let weights: [Double]

  /// - Precondition: There are as many trusts as members.
  package init(
    _ members: [any PositioningAlgorithm], trusts: Trusts, name: String = "combination"
  ) {
    precondition(members.count == trusts.weights.count, "expected one trust per member")
    let trusted = zip(members, trusts.weights).filter { $0.1 > 0 }
    (self.members, weights, self.name) = (trusted.map(\.0), trusted.map(\.1), name)
  }

  public func locate(_ scans: [Scan], in surroundings: Surroundings) -> [Outcome] {
    let ensemble = Ensemble(members, asked: scans, in: surroundings)
    return scans.indices.map { outcome(of: ensemble, $0) }
  }

  public func track(in surroundings: Surroundings) -> (any LiveTrack)? {
    EnsembleTrack(members, in: surroundings) { outcome(of: $0, $1) }
  }

  private func outcome(of ensemble: Ensemble, _ scan: Int) -> Outcome {
    let (answers, leftOut) = ensemble.answers(to: scan)
    guard !answers.isEmpty else { return .refused(.noMemberAnswered) }
    let total = answers.reduce(0) { $0 + weights[$1.member] }
    let weighted = answers.map { (estimate: $0.estimate, weight: weights[$0.member] / total) }
    var combined = Self.mean(weighted)
    combined.leftOut = leftOut
    return .located(combined)
  }

  /// Returns the weighted mean of at least one estimate, with a height if all estimates have one.
  static func mean(_ weighted: [(estimate: Estimate, weight: Double)]) -> Estimate {
    var place = SpacePoint(x: 0, y: 0, z: 0)
    for (estimate, weight) in weighted {
      place = place + weight * SpacePoint(estimate.position, z: estimate.height ?? 0)
    }
    let hasHeight = weighted.allSatisfy { $0.estimate.height != nil }
    return Estimate(
      position: place.planar, height: hasHeight ? place.z : nil, uncertainty: uncertainty(weighted))
  }

  /// Returns the covariance, or the first member's reason for having none.
  private static func uncertainty(
    _ weighted: [(estimate: Estimate, weight: Double)]
  ) -> Uncertainty {
    var deviations = 0.0
    var sum = SymmetricMatrix3()
    var hasHeight = true
    for (estimate, weight) in weighted {
      guard case .covariance(let covariance) = estimate.uncertainty else {
        return estimate.uncertainty
      }
      hasHeight = hasHeight && covariance.vertical != nil
      let deviation = (covariance.xx + covariance.yy + (covariance.vertical?.zz ?? 0)).squareRoot()
      deviations += weight * deviation
      // A member with zero error adds nothing.
      if deviation > 0 { sum.add(SymmetricMatrix3(covariance), weight: weight / deviation) }
    }
    var bound = SymmetricMatrix3()
    bound.add(sum, weight: deviations)
    return .firstOrder(bound.covariance(in: hasHeight ? .space : .plane))
  }
}

/// The relative weights of the members of a combination, as the published library defines them.
///
/// Trusts are divided by their sum; if none exceeds 1e-5, all members have the same weight.
///
/// olferuk/IBeaconLocation, commit 8687e7d, `Processor`.
package struct Trusts: Equatable, Sendable {
  /// The share of each member, in the order of the trusts; they sum to 1.
  package let weights: [Double]

  /// - Throws: `RSSIError` if there are no trusts, or one is negative or not finite.
  package init(_ trusts: [Double]) throws(RSSIError) {
    guard !trusts.isEmpty else {
      throw RSSIError(
        .usage,
        "combination: no members (example: power-center=1,epta=0.5)")
    }
    for trust in trusts where !(trust >= 0 && trust.isFinite) {
      throw RSSIError(
        .usage, "combination: trust \(trust): expected 0 or a positive number")
    }
    // Dividing by the greatest first keeps the sum from overflowing.
    let greatest = trusts.max() ?? 0
    guard greatest > 1e-5 else {
      weights = trusts.map { _ in 1 / Double(trusts.count) }
      return
    }
    let total = trusts.reduce(0) { $0 + $1 / greatest }
    weights = trusts.map { $0 / greatest / total }
  }
}
