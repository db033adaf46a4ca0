import Geometry

/// The centre of the box to which all ranges confine the target (`min-max`).
///
/// Each anchor confines the target to the box a_i ± r_i. The answer is the centre of their
/// intersection, from the greatest lower to the least upper edge along each axis; if the boxes do
/// not intersect, it is midway between these edges. r_i is the horizontal range in the plane and
/// the slant range in space. The answer depends on the axes, which should follow the walls. It
/// works with any number of anchors: with one, the answer is that anchor's place. Linear in the
/// number of anchors.
///
/// Savvides, Park & Srivastava, "The Bits and Flops of the N-hop Multilateration Primitive", WSNA
/// 2002; compared and named by Langendoen & Reijers, Computer Networks 43, 2003.
public struct MinMaxBox: EpochAlgorithm {
  static let kind = AlgorithmKind(
    "min-max", "the centre of the box to which all ranges confine the target"
  ) { _ in MinMaxBox() }

  public var name: String { Self.kind.name }

  /// Creates the algorithm, which has no parameters.
  public init() {}

  public func estimate(
    _ observations: [Observation], in surroundings: Surroundings
  ) throws(Refusal) -> Estimate {
    guard observations.allSatisfy(\.isValid) else { throw .invalidRange }
    guard !observations.isEmpty else { throw .tooFewAnchors }
    let isSpace = surroundings.dimensions == .space
    func centre(_ coordinate: (Observation) -> Double) -> Double {
      var (low, high) = (-Double.infinity, Double.infinity)
      for observation in observations {
        let range = isSpace ? observation.slantRange : observation.range
        low = max(low, coordinate(observation) - range)
        high = min(high, coordinate(observation) + range)
      }
      return (low + high) / 2
    }
    return Estimate(
      position: Point(x: centre(\.anchor.x), y: centre(\.anchor.y)),
      height: isSpace ? centre(\.heightDifference) : nil, uncertainty: .unavailable(.noErrorModel))
  }
}
