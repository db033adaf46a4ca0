public import Support

/// The name, the parameters and the constructor of an algorithm.
public struct AlgorithmKind: SpecifiedKind {
  /// The name on the command line and in reports.
  public let name: String
  /// A one-line description of the algorithm.
  public let summary: String
  /// The parameters of the algorithm.
  public let parameters: [Parameter]
  /// A Boolean value that is true if `all` includes the algorithm with its default parameters.
  public let isInAll: Bool
  /// A Boolean value that is true if the algorithm requires a survey.
  public let needsSurvey: Bool
  let make: @Sendable (ParameterValues) throws(RSSIError) -> any PositioningAlgorithm

  init(
    _ name: String, _ summary: String, _ parameters: [Parameter] = [],
    isInAll: Bool = true, needsSurvey: Bool = false,
    make: @escaping @Sendable (ParameterValues) throws(RSSIError) -> any PositioningAlgorithm
  ) {
    self.name = name
    self.summary = summary
    self.parameters = parameters
    self.isInAll = isInAll
    self.needsSurvey = needsSurvey
    self.make = make
  }
}

/// The positioning algorithms by name.
///
/// ```swift
/// let algorithm = try Algorithms.named("maximum-likelihood:loss=tukey")
/// print(Algorithms.names, algorithm.isCausal)
/// ```
public enum Algorithms {
  /// The longest time that an answer may be delayed for later sightings, in nanoseconds.
  package static let longestLag: Int64 = 60_000_000_000

  /// All algorithms, in the order of the documentation.
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
    // Combinations of other algorithms.
    TrackerMixture.kind, TrackerMixture.smootherKind, TrustCombination.kind, InverseCovariance.kind,
    Attraction.kind,
  ]

  /// The names that ``named(_:)`` accepts.
  public static var names: [String] { kinds.map(\.name) }

  /// The algorithms that `all` selects if there is a survey, with their default parameters.
  public static let all: [any PositioningAlgorithm] = kinds.filter(\.isInAll).map { kind in
    guard let algorithm = try? named(kind.name) else {
      preconditionFailure("\(kind.name): included in all, but its defaults are invalid")
    }
    return algorithm
  }

  /// Returns the algorithms that `all` selects, including those that need a survey if there is one.
  public static func all(withSurvey: Bool) -> [String] {
    kinds.filter { $0.isInAll && (withSurvey || !$0.needsSurvey) }.flatMap { kind in
      // The posterior mean on a map has its own name.
      let hasMap =
        kind.name != PosteriorMean.kind.name && kind.parameters.contains { $0.name == "map" }
      return [kind.name] + (withSurvey && hasMap ? [kind.name + ":map=yes"] : [])
    }
  }

  /// Creates the algorithm that a specification such as `power-center` or
  /// `weighted-centroid:degree=1` names.
  ///
  /// - Throws: `RSSIError` for an unknown algorithm, parameter or value.
  public static func named(_ text: String) throws(RSSIError) -> any PositioningAlgorithm {
    let (kind, values) = try Specification(canonical(text)).resolved(among: kinds, as: "algorithm")
    return try kind.make(values)
  }

  /// Splits a comma-separated list such as `epta,weighted-centroid:degree=1` into algorithms with
  /// their parameters.
  package static func names(in list: String) -> [String] {
    Specification.texts(of: list.split(separator: ",")).map(canonical)
  }

  /// Returns a text with the name of the algorithm instead of a common name in the literature.
  package static func canonical(_ text: String) -> String {
    let name = text.prefix { $0 != ":" }
    switch name {
    case "trilateration": return RangeLeastSquares.kind.name + text.dropFirst(name.count)
    case "knn", "kNN": return Fingerprint.kind.name + text.dropFirst(name.count)
    default: return text
    }
  }
}

/// Parameters that several algorithms share.
extension Parameter {
  static let anchors = count(
    "anchors", in: 3 ... .max, or: "all", default: "3", "number of nearest anchors to use")
  static let map = flag("map", default: false, "expect the levels of the radio map")
  static let silence = flag(
    "silence", default: true, "use the silence of anchors with known reception")
  /// One level in a hundred is an outlier, uniform over 60 dB. At 5 dB the normal density falls
  /// below that of outliers at 3.5 standard deviations: ln(100 × 60 / 5√2π) = 3.5² / 2.
  static let cutoff = number(
    "cutoff", in: 1...100, default: "3.5",
    "standard deviations beyond which a level is an outlier")
  static let guessedSpeed = number(
    "speed", in: 0.01...100, unit: "m/s", or: "auto", default: "auto",
    "RMS speed of the target; auto = learned with a map, 1 without")
  static let offset = number(
    "offset", in: 0...40, unit: "dB", or: "auto", default: "auto",
    "standard deviation of the error common to all levels; auto = the map's, 3 without")
  static let mapOffset = number(
    "offset", in: 0...40, unit: "dB", or: "auto", default: "auto",
    "standard deviation of the error common to all levels; auto = the map's, 0 without")
  static let temper = number(
    "temper", in: 0.1...1, or: "auto", default: "auto",
    "exponent of the likelihood of further levels of an anchor; auto = "
      + "\(ParticleTrack.usualTemper.atOnce), \(ParticleTrack.usualTemper.late) late")
  static let seed = number("seed", in: 0...1e15, default: "1", "random seed")
  static let speed = number(
    "speed", in: 0.01...100, unit: "m/s", default: "1", "RMS speed of the target")
}
