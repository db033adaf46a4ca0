public import Support

/// The positioning algorithms by name.
///
/// ```swift
/// let algorithm = try Algorithms.named("maximum-likelihood:loss=tukey")
/// print(Algorithms.names, algorithm.isCausal)
/// ```
public enum Algorithms {
  /// The longest time that an answer may wait for later sightings, in nanoseconds.
  package static let longestLag: Int64 = 60_000_000_000

  /// Every kind, in the order of the documentation.
  public static let kinds: [AlgorithmKind] = [
    // Baselines and closed forms.
    NearestAnchor.kind, Centroid.kind, WeightedCentroid.kind, MinMaxBox.kind,
    PowerCenter.kind, SphereIntersection.kind, EPTA.kind, WeightedOneCentre.kind,
    LinearLeastSquares.kind,
    // Estimators.
    RangeLeastSquares.kind, MaximumLikelihood.kind, PosteriorMean.kind,
    // Learned from a survey.
    Fingerprint.kind, PosteriorMean.gaussianProcessKind,
    // Trackers.
    KalmanTracker.kind, ParticleFilter.kind, ParticleFilter.smootherKind, GridFilter.kind,
    GridSmoother.kind,
    // Of other algorithms.
    TrustCombination.kind, InverseCovariance.kind, Attraction.kind,
  ]

  /// The names that ``init(_:)`` knows.
  public static var names: [String] { kinds.map(\.name) }

  /// Every algorithm that `all` means where there is a survey, with its default parameters.
  public static let all: [any PositioningAlgorithm] = kinds.filter(\.isInAll).map { kind in
    guard let algorithm = try? named(kind.name) else {
      preconditionFailure("\(kind.name) is in all, and so has defaults")
    }
    return algorithm
  }

  /// The names that `all` means: those that can answer; with a survey also trackers on its radio
  /// map.
  public static func all(withSurvey: Bool) -> [String] {
    kinds.filter { $0.isInAll && (withSurvey || !$0.needsSurvey) }.flatMap { kind in
      // The posterior mean on a map has a name of its own.
      let hasMap =
        kind.name != PosteriorMean.kind.name && kind.parameters.contains { $0.name == "map" }
      return [kind.name] + (withSurvey && hasMap ? [kind.name + ":map=yes"] : [])
    }
  }

  /// The algorithm that a text such as `power-center` or `weighted-centroid:degree=1` names.
  ///
  /// - Throws: `RSSIError` for an unknown algorithm, parameter or value.
  public static func named(_ text: String) throws(RSSIError) -> any PositioningAlgorithm {
    let (kind, values) = try Specification(text).resolved(among: kinds, as: "algorithm")
    return try kind.make(values)
  }

  /// The names in a list with commas, such as `epta,weighted-centroid:degree=1`, each with its
  /// parameters.
  package static func names(in list: String) -> [String] {
    Specification.texts(of: list.split(separator: ","))
  }
}
