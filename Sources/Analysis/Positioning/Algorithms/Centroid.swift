import Geometry

/// The centroid of the received anchors (`centroid`).
///
/// It ignores the levels, so it is the baseline for every algorithm that uses them. Linear in the
/// number of anchors.
///
/// Bulusu, Heidemann & Estrin, "GPS-less Low-Cost Outdoor Localization for Very Small Devices",
/// IEEE Personal Communications 2000.
public struct Centroid: EpochAlgorithm {
  static let kind = AlgorithmKind("centroid", "the centroid of the received anchors") { _ in
    Centroid()
  }

  public var name: String { Self.kind.name }

  /// Creates the algorithm, which has no parameters.
  public init() {}

  public func estimate(
    _ observations: [Observation], in surroundings: Surroundings
  ) throws(Refusal) -> Estimate {
    guard observations.allSatisfy(\.isValid) else { throw .invalidRange }
    guard !observations.isEmpty else { throw .tooFewAnchors }
    return observations.centroid(in: surroundings.dimensions) { _ in 1 }
  }
}

extension Collection<Observation> {
  /// Returns the weighted mean of the anchors' places, with a height in space, without a
  /// covariance.
  ///
  /// - Precondition: no weight is negative, and at least one is positive.
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

/// The place of the nearest anchor (`nearest-anchor`).
///
/// In the plane, the nearest anchor has the least s² - h², the squared range before a slant range s
/// shorter than the height h is clamped to 0; in space, the least slant range. Levels are whole
/// decibels, so identical anchors often tie: the answer is then their centroid. Linear in the
/// number of anchors.
///
/// This is the baseline of every proximity service. It works with any number of anchors.
public struct NearestAnchor: EpochAlgorithm {
  static let kind = AlgorithmKind("nearest-anchor", "the place of the nearest anchor") { _ in
    NearestAnchor()
  }

  public var name: String { Self.kind.name }

  /// Creates the algorithm, which has no parameters.
  public init() {}

  public func estimate(
    _ observations: [Observation], in surroundings: Surroundings
  ) throws(Refusal) -> Estimate {
    guard observations.allSatisfy(\.isValid) else { throw .invalidRange }
    func farness(_ observation: Observation) -> Double {
      let (slant, height) = (observation.slantRange, observation.heightDifference)
      return surroundings.dimensions == .space ? slant : slant * slant - height * height
    }
    guard let least = observations.lazy.map(farness).min() else { throw .tooFewAnchors }
    return observations.filter { farness($0) == least }
      .centroid(in: surroundings.dimensions) { _ in 1 }
  }
}
