public import Support

/// A kind of filter: its name, its parameters, and how a stage of it is made.
public struct FilterKind: SpecifiedKind {
  /// On the command line and in the file.
  public let name: String
  /// One line for people.
  public let summary: String
  /// The parameters of the filter.
  public let parameters: [Parameter]
  /// A Boolean value that is true if it states the level at a sighting from that sighting and
  /// earlier ones alone.
  public let isCausal: Bool
  /// The model of its noise; nil for a filter without any.
  public let noiseModel: NoiseModel?
  /// The model that q and r are estimated by where they are left out, if parameters belong to it.
  var estimatedModel: (@Sendable (ParameterValues) -> NoiseModel)?
  let makeStage: @Sendable (ParameterValues, ChainTiming) -> any ChainStage

  /// A Boolean value that is true if it needs no parameter to be written.
  public var hasDefaults: Bool { parameters.allSatisfy { $0.example == nil } }

  /// A kind whose filters answer at once.
  static func causal<Filter: LevelFilter>(
    _ name: String, _ summary: String, noise: NoiseModel? = nil, _ parameters: [Parameter],
    _ make: @escaping @Sendable (ParameterValues, Noise) -> Filter
  ) -> FilterKind {
    FilterKind(
      name: name, summary: summary, parameters: parameters, isCausal: true, noiseModel: noise,
      makeStage: { values, _ in
        CausalStage(noise: { values.noise ?? $0 }) { make(values, $0) }
      })
  }

  /// The same kind with another model for estimates.
  func estimating(_ model: @escaping @Sendable (ParameterValues) -> NoiseModel) -> FilterKind {
    var kind = self
    kind.estimatedModel = model
    return kind
  }

  /// A kind whose filters need later sightings.
  static func smoothing<Smoother: LevelSmoother>(
    _ name: String, _ summary: String, noise: NoiseModel? = nil, _ parameters: [Parameter],
    _ make: @escaping @Sendable (ParameterValues, Noise) -> Smoother
  ) -> FilterKind {
    FilterKind(
      name: name, summary: summary, parameters: parameters, isCausal: false, noiseModel: noise,
      makeStage: { values, timing in
        SmoothingStage(timing, noise: { values.noise ?? $0 }) { make(values, $0) }
      })
  }

  /// All kinds, in the order in which they are listed.
  public static let all: [FilterKind] = [
    kalman,
    multipleModel,
    velocity,
    adaptive,
    channels,
    tobit,
    rts,
    fixedLag,
    median,
    mean,
    trimmedMean,
    channelMean,
    hampel,
    ewma,
    oneEuro,
    localPolynomial,
    peerAltBeaconARMA,
    peerAltBeaconMean,
    peerKalmanJS,
    peerMovingMean,
  ]
}
