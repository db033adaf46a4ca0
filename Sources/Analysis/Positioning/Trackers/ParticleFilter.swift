package import Support

/// A particle filter on place and velocity with walls and rooms (`particle-filter`).
///
/// Each particle has its own belief about every anchor's shadowing, so packets of one place do not
/// count as independent; the silence of an anchor with known reception is evidence too. A question
/// about an earlier time is answered from stored places (fixed-lag smoothing). Particles restart
/// over the whole area if for some seconds most levels fit none of them, and after 30 s without
/// levels. Random numbers come from a seed, so the same scans give the same answers.
///
/// Arulampalam et al., "A tutorial on particle filters", IEEE T-SP 50 (2002).
public struct ParticleFilter: PedestrianTracker {
  static let kind = AlgorithmKind(
    "particle-filter", "a particle filter on place and velocity; walls stop the target",
    [
      .number("particles", in: 10...1e6, default: "2000", "number of particles"),
      .guessedSpeed, .map, .offset, .silence, .temper, .lag, .seed,
    ]
  ) { ParticleFilter($0) }

  public let name: String
  /// The number of particles.
  public var particles: Int
  /// The root mean square speed of the target, in metres per second; `nil` estimates it per
  /// particle with a radio map, and is 1 m/s without one.
  public var speed: Double?
  /// A Boolean value that is true if expected levels are those of ``Surroundings/radioMap``.
  public var usesMap: Bool
  /// The standard deviation of the error common to all levels, in dB; `nil` takes that of the radio
  /// map, and 3 dB without one.
  public var offset: Double?
  /// A Boolean value that is true if the silence of anchors with a ``Anchor/reception`` is
  /// evidence.
  public var usesSilence: Bool
  /// The exponent of the likelihood of further levels of an anchor, from 0.1 to 1; `nil` is 0.7,
  /// falling to 0.45 with the lag.
  ///
  /// Below 1, particles allow for errors that the model does not have, such as a body between target
  /// and anchor. Source: Holmes and Walker, "Assigning a value to a power likelihood in a general
  /// Bayesian model", Biometrika 104 (2017).
  public var temper: Double?
  /// The time that answers wait for later sightings.
  public var lag: Duration
  /// The random seed; the same seed gives the same answers.
  public var seed: UInt64

  /// Creates the algorithm with the defaults of its parameters.
  public init() { self.init(Self.kind.defaults) }

  package init(_ values: ParameterValues) {
    self.init(Self.kind.name, lag: values.optionalDuration("lag") ?? .zero, values)
  }

  private init(_ name: String, lag: Duration, _ values: ParameterValues) {
    (self.name, self.lag) = (name, lag)
    (particles, seed) = (Int(values.number("particles")), UInt64(values.number("seed")))
    (speed, usesMap) = (values.optional("speed"), values.flag("map"))
    (usesSilence, offset) = (values.flag("silence"), values.optional("offset"))
    temper = values.optional("temper")
  }

  public func locate(_ scans: [Scan], in surroundings: Surroundings) -> [Outcome] {
    answers(to: scans, in: surroundings)
  }

  public func lookingBack(in surroundings: Surroundings) -> (any LiveTrack)? {
    following(in: surroundings)
  }

  func track(
    _ trace: TrackedTrace, links: MeasurementModel, area: WalkableArea, isLive: Bool
  ) -> ParticleTrack {
    ParticleTrack(trace, links: links, area: area, settings: self, isLive: isLive)
  }
}

extension ParticleFilter {
  /// ``ParticleFilter`` with a lag of 10 s, for recordings (`particle-smoother`).
  ///
  /// The next ten seconds carry most of the information in later data. It uses more particles,
  /// because those left after a lag descend from few.
  static let smootherKind: AlgorithmKind = AlgorithmKind(
    "particle-smoother", "particle-filter that looks 10 s ahead, for recordings",
    [
      .number("particles", in: 10...1e6, default: "4000", "number of particles"),
      .guessedSpeed, .map, .offset, .silence, .temper, .seed,
    ]
  ) { ParticleFilter("particle-smoother", lag: .seconds(10), $0) }

  /// `particle-smoother` with the defaults of its parameters.
  static var smoother: ParticleFilter {
    ParticleFilter("particle-smoother", lag: .seconds(10), smootherKind.defaults)
  }
}
