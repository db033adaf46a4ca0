public import Support

/// A kind of algorithm: what it is called, what can be set, and how to make one.
public struct AlgorithmKind: SpecifiedKind {
  /// The name on the command line and in reports.
  public let name: String
  /// A description of the algorithm, in one line.
  public let summary: String
  /// The parameters of the algorithm.
  public let parameters: [Parameter]
  /// A Boolean value that is true if `all` means it with its default parameters.
  public let isInAll: Bool
  /// A Boolean value that is true if it answers from a survey only.
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

  /// Returns the names that `all` means: those that can answer; with a survey also trackers on its
  /// radio map.
  public static func all(withSurvey: Bool) -> [String] {
    kinds.filter { $0.isInAll && (withSurvey || !$0.needsSurvey) }.flatMap { kind in
      // The posterior mean on a map has a name of its own.
      let hasMap =
        kind.name != PosteriorMean.kind.name && kind.parameters.contains { $0.name == "map" }
      return [kind.name] + (withSurvey && hasMap ? [kind.name + ":map=yes"] : [])
    }
  }

  /// Returns the algorithm that a text such as `power-center` or `weighted-centroid:degree=1`
  /// names.
  ///
  /// - Throws: `RSSIError` for an unknown algorithm, parameter or value.
  public static func named(_ text: String) throws(RSSIError) -> any PositioningAlgorithm {
    let (kind, values) = try Specification(canonical(text)).resolved(among: kinds, as: "algorithm")
    return try kind.make(values)
  }

  /// The names in a list with commas, such as `epta,weighted-centroid:degree=1`, each with its
  /// parameters.
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

/// Parameters of several algorithms.
extension Parameter {
  static let anchors = count(
    "anchors", in: 3 ... .max, or: "all", default: "3", "how many of the nearest anchors count")
  static let map = flag("map", default: false, "whether levels are those of the radio map")
  static let silence = flag(
    "silence", default: true, "whether silence counts, where receptions are known")
  /// One level in a hundred is an outlier, equally probable anywhere in 60 dB: the normal density
  /// falls below that of such levels at 3.5 standard deviations of 5 dB, as ln(100 × 60 / 5√2π) =
  /// 3.5² / 2.
  static let cutoff = number(
    "cutoff", in: 1...100, default: "3.5",
    "standard deviations from which on a level is an outlier")
  static let guessedSpeed = number(
    "speed", in: 0.01...100, unit: "m/s", or: "auto", default: "auto",
    "root mean square of the target's speed; auto = learned with a map, 1 without")
  static let offset = number(
    "offset", in: 0...40, unit: "dB", or: "auto", default: "auto",
    "standard deviation of an error of all levels; auto = the map's, 3 without")
  static let mapOffset = number(
    "offset", in: 0...40, unit: "dB", or: "auto", default: "auto",
    "standard deviation of an error of all levels; auto = the map's, 0 without")
  static let seed = number("seed", in: 0...1e15, default: "1", "seed of the random numbers")
  static let speed = number(
    "speed", in: 0.01...100, unit: "m/s", default: "1", "root mean square of the target's speed")
}
