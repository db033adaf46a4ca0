public import Support

/// A kind of filter: its name, its parameters and its constructor.
public struct FilterKind: SpecifiedKind {
  /// The name on the command line and in the file.
  public let name: String
  /// A one-line description.
  public let summary: String
  /// The parameters of the filter.
  public let parameters: [Parameter]
  /// A Boolean value that is true if the level at a sighting depends only on that sighting and
  /// earlier ones.
  public let isCausal: Bool
  /// The model of its noise; `nil` for a filter without a noise model.
  public let noiseModel: NoiseModel?
  /// The model by which missing parameters are estimated, if it depends on the others; the model is
  /// `nil` if none is missing.
  var estimatedModel: (@Sendable (ParameterValues) -> NoiseModel?)?
  let makeStage: @Sendable (ParameterValues, ChainTiming) -> any ChainStage

  /// A Boolean value that is true if no parameter is required.
  public var hasDefaults: Bool { parameters.allSatisfy { $0.example == nil } }

  /// Returns a kind of causal filters.
  static func causal<Filter: LevelFilter>(
    _ name: String, _ summary: String, noise: NoiseModel? = nil, _ parameters: [Parameter],
    _ make: @escaping @Sendable (ParameterValues, Noise) -> Filter
  ) -> FilterKind {
    FilterKind(
      name: name, summary: summary, parameters: parameters, isCausal: true, noiseModel: noise,
      makeStage: { values, _ in
        CausalStage(noise: { $0.replaced(by: values.noise) }) { make(values, $0) }
      })
  }

  /// Returns the same kind with another model for the estimation of noise.
  func estimating(_ model: @escaping @Sendable (ParameterValues) -> NoiseModel?) -> FilterKind {
    var kind = self
    kind.estimatedModel = model
    return kind
  }

  /// Returns a kind of filters that need later sightings.
  static func smoothing<Smoother: LevelSmoother>(
    _ name: String, _ summary: String, noise: NoiseModel? = nil, _ parameters: [Parameter],
    _ make: @escaping @Sendable (ParameterValues, Noise) -> Smoother
  ) -> FilterKind {
    FilterKind(
      name: name, summary: summary, parameters: parameters, isCausal: false, noiseModel: noise,
      makeStage: { values, timing in
        SmoothingStage(timing, noise: { $0.replaced(by: values.noise) }) { make(values, $0) }
      })
  }

  /// All kinds, in the order of display.
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
