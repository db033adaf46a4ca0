import RealModule
package import Support

/// The anchors' centroid, weighted by nearness (`weighted-centroid`).
///
/// p = Σ s_i^-g a_i / Σ s_i^-g over slant ranges s_i. Slant ranges are used because a range
/// projected into the plane is 0 below a high anchor, which would take all the weight. The answer
/// never leaves the convex hull of the anchors. It works with any number of anchors in any
/// geometry. The height, if requested, is between the anchors' heights: below a ceiling of anchors
/// it is the ceiling's. Linear in the number of anchors.
///
/// Blumenthal et al., "Weighted Centroid Localization in Zigbee-based Sensor Networks", WISP 2007.
public struct WeightedCentroid: EpochAlgorithm {
  static let kind = AlgorithmKind(
    "weighted-centroid", "the anchors' centroid, weighted by nearness",
    [.number("degree", in: 0...10, default: "2", "exponent of the inverse distance")]
  ) { WeightedCentroid($0) }

  public var name: String { Self.kind.name }
  /// The exponent g of the inverse distance; the larger, the more the nearest anchor dominates.
  public var degree: Double

  /// Creates the algorithm with an exponent of the inverse distance.
  public init(degree: Double) { self.degree = degree }

  /// Creates the algorithm with the defaults of its parameters.
  public init() { self.init(Self.kind.defaults) }

  package init(_ values: ParameterValues) {
    self.init(degree: values.number("degree"))
  }

  public func estimate(
    _ observations: [Observation], in surroundings: Surroundings
  ) throws(Refusal) -> Estimate {
    guard observations.allSatisfy(\.isValid) else { throw .invalidRange }
    guard let nearest = observations.lazy.map(\.slantRange).min() else { throw .tooFewAnchors }
    return observations.centroid(in: surroundings.dimensions) { observation in
      // Ranges relative to the nearest keep the weights from overflowing.
      let range = observation.slantRange
      return range == nearest ? 1 : Double.pow(nearest / range, degree)
    }
  }
}
