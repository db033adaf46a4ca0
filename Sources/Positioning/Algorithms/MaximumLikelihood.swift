import RealModule

/// The place that makes the levels most likely under log-normal shadowing (`maximum-likelihood`).
///
/// Minimises Σ ((rssi_i - P_i + 10 n_i log10 d_i) / σ_i)² over a box around the anchors, by damped
/// Newton descents from many places, because the sum has a pole at every anchor and a valley on
/// every anchor's circle (see `StartingPlaces.swift`). Covariance from the Fisher information. Each
/// descent is linear in the number m of anchors, and there are at most 28 + 4 m of them.
///
/// The search ends one site's length, or twice the nearest anchor's range if that is longer, outside
/// the anchors' bounding box. So far away all anchors lie in nearly the same direction and tell
/// little about the place, and twice the range leaves the nearest anchor an error of 6 dB at
/// exponent 2. An answer on the edge has no covariance.
///
/// Patwari et al., "Relative Location Estimation in Wireless Sensor Networks", IEEE T-SP 2003.
public struct MaximumLikelihood: EpochAlgorithm {
  static let kind = AlgorithmKind("maximum-likelihood", "the place that makes the levels most likely") { _ in MaximumLikelihood() }

  public var name: String { Self.kind.name }

  public init() {}

  public func estimate(
    _ observations: [Observation], in surroundings: Surroundings
  ) throws(Refusal) -> Estimate {
    guard observations.allSatisfy(\.isValid) else { throw .invalidRange }
    let anchors = observations.map(\.anchor)
    _ = try AnchorLayout(fixing: anchors, minimumBreadth: AnchorLayout.reliableBreadth)
    let box = SearchBox(around: anchors, leastPadding: 2 * (observations.map(\.range).min() ?? 0))
    let descent = Descent(cost: LevelCost(observations), box: box)
    var best: (place: Point, cost: Double)?
    for start in startingPlaces(observations, box: box) {
      let end = descent.run(from: start, tolerance: 1e-3, maximumSteps: 12)
      if end.cost < best?.cost ?? .infinity { best = end }
    }
    guard let best else { throw .notConverged }
    let place = descent.run(from: best.place, tolerance: 1e-10, maximumSteps: 100).place
    return Estimate(
      position: place,
      uncertainty: box.hasInside(place)
        ? Self.uncertainty(of: observations, at: place) : .unavailable(.onTheEdge)
    )
  }

  /// The inverse of the Fisher information F = Σ (10 n / σ ln10)² (p - a)(p - a)ᵀ / d⁴.
  static func uncertainty(of observations: [Observation], at place: Point) -> Uncertainty {
    let f = LevelCost(observations).expansion(at: place)
    let determinant = f.xx * f.yy - f.xy * f.xy
    let trace = f.xx + f.yy
    guard determinant > 1e-12 * trace * trace, determinant.isFinite else { return .unavailable(.collinearAnchors) }
    return .covariance(
      Covariance(xx: f.yy / determinant, xy: -f.xy / determinant, yy: f.xx / determinant))
  }
}
