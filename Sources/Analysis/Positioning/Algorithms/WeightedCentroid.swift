import RealModule
package import Support

/// The anchors' centroid, weighted by nearness (`weighted-centroid`).
///
/// p = Σ s_i^-g a_i / Σ s_i^-g over slant ranges s_i: nearness in space, since a range projected
/// into the plane is 0 below a high anchor and would take all the weight. Never outside the
/// anchors' convex hull, and never far wrong inside it; it answers with any number of anchors and
/// needs no geometry. Its height, where asked, is within the anchors' heights: below a ceiling of
/// anchors it is the ceiling's. Linear in the number of anchors.
///
/// Blumenthal et al., "Weighted Centroid Localization in Zigbee-based Sensor Networks", WISP 2007.
public struct WeightedCentroid: EpochAlgorithm {
  static let kind = AlgorithmKind(
    "weighted-centroid", "the anchors' centroid, weighted by nearness",
    [.number("degree", in: 0...10, default: "2", "the power of nearness")]
  ) { WeightedCentroid($0) }

  public var name: String { Self.kind.name }
  /// The power g of nearness; the larger, the more the nearest anchor counts.
  public var degree: Double

  /// Creates the algorithm with an exponent of the weights.
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
      // Relative to the nearest, no weight overflows.
      let range = observation.slantRange
      return range == nearest ? 1 : Double.pow(nearest / range, degree)
    }
  }
}
