import Geometry

/// Estimates joined without knowing how their errors go together.
///
/// C = (Σ ω_k C_k⁻¹)⁻¹ and p = C Σ ω_k C_k⁻¹ p_k: for any shares ω_k ≥ 0 that sum to 1 the error of
/// p has a covariance no larger than C, if those of the p_k have none larger than C_k. The shares
/// are those with the least det C, the smallest ellipse.
///
/// Julier & Uhlmann, "A Non-divergent Estimation Algorithm in the Presence of Unknown
/// Correlations", ACC
/// 1997. The shares by the multiplicative algorithm of optimal design, ω_k ← ω_k tr(C C_k⁻¹) / d,
///       which
/// raises det C⁻¹ in every step: Silvey, Titterington & Torsney, Commun. Statist. A7, 1978.
struct CovarianceIntersection {
  let shares: [Double]
  let place: SpacePoint
  let covariance: SymmetricMatrix3

  /// - Parameters:
  ///   - places: at least one.
  ///   - informations: the inverse covariances, positive definite.
  init?(_ places: [SpacePoint], informations: [SymmetricMatrix3]) {
    var shares = [Double](repeating: 1 / Double(places.count), count: places.count)
    var covariance = SymmetricMatrix3()
    for step in 1... {
      var information = SymmetricMatrix3()
      for (share, member) in zip(shares, informations) { information.add(member, weight: share) }
      guard let inverse = information.inverse else { return nil }
      covariance = inverse
      // At the best shares no member's trace is above the mean, which is d.
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

  /// Any shares are sound: the last digits of the smallest ellipse are not worth the time.
  private static let mostSteps = 1000
  private static let tolerance = 1e-6
}
