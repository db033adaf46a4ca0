/// The place of the nearest anchor (`nearest-anchor`).
///
/// In the plane the nearest is the one with the least s² - h², the squared range before a slant
/// range s shorter than the height h is taken for 0; in space the one with the least slant range.
/// Levels are whole decibels, so anchors of one kind are often equally near: the answer is their
/// centroid. Linear in the number of anchors.
///
/// The baseline of every proximity service; it answers with any number of anchors.
package struct NearestAnchor: EpochAlgorithm {
  static let kind = AlgorithmKind("nearest-anchor", "the place of the nearest anchor") { _ in
    NearestAnchor()
  }

  package var name: String { Self.kind.name }

  package init() {}

  package func estimate(
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
