import Geometry

/// The centroid of the anchors that were heard (`centroid`).
///
/// It uses no level at all, only that there was one: what an algorithm with levels has to beat.
/// Linear in the number of anchors.
///
/// Bulusu, Heidemann & Estrin, "GPS-less Low-Cost Outdoor Localization for Very Small Devices",
/// IEEE Personal Communications 2000.
package struct Centroid: EpochAlgorithm {
  static let kind = AlgorithmKind("centroid", "the centroid of the anchors that were heard") { _ in
    Centroid()
  }

  package var name: String { Self.kind.name }

  package init() {}

  package func estimate(
    _ observations: [Observation], in surroundings: Surroundings
  ) throws(Refusal) -> Estimate {
    guard observations.allSatisfy(\.isValid) else { throw .invalidRange }
    guard !observations.isEmpty else { throw .tooFewAnchors }
    return observations.centroid(in: surroundings.dimensions) { _ in 1 }
  }
}

extension Collection<Observation> {
  /// The mean of the anchors' places with some weights, with its height where that is asked, and
  /// without a covariance.
  ///
  /// - Precondition: some weight is positive, and none is negative.
  func centroid(
    in dimensions: Surroundings.Dimensions, weight: (Observation) -> Double
  ) -> Estimate {
    var (x, y, z, total) = (0.0, 0.0, 0.0, 0.0)
    for observation in self {
      let weight = weight(observation)
      x += weight * observation.anchor.x
      y += weight * observation.anchor.y
      z += weight * observation.heightDifference
      total += weight
    }
    return Estimate(
      position: Point(x: x / total, y: y / total),
      height: dimensions == .space ? z / total : nil, uncertainty: .unavailable(.noErrorModel))
  }
}
