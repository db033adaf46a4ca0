package import Support

/// A particle filter on place and velocity that walls and rooms stop (`particle-filter`).
///
/// Each particle keeps its own belief about every anchor's shadowing, so that packets of one place
/// do not pass for independent ones; silence of an anchor that is well known is information too. A
/// question about an earlier time is answered from what the particles remember (fixed-lag
/// smoothing). Particles begin again all over the area where for some seconds most levels fit none
/// of them, and after 30 s without levels. The same scans give the same answers: random numbers
/// come from a seed.
///
/// Arulampalam et al., "A tutorial on particle filters", IEEE T-SP 50 (2002).
public struct ParticleFilter: PedestrianTracker {
  static let kind = AlgorithmKind(
    "particle-filter", "a particle filter on place and velocity, stopped by walls",
    [
      .number("particles", in: 10...1e6, default: "2000", "how many guesses of the place"),
      .guessedSpeed, .map, .offset, .silence, .lag, .seed,
    ]
  ) { ParticleFilter($0) }

  public let name: String
  /// The number of particles.
  public var particles: Int
  /// Root mean square of the target's speed, in metres per second; nil = each particle guesses it
  /// with a radio map, 1 m/s without one.
  public var speed: Double?
  /// A Boolean value that is true if expected levels are those of ``Surroundings/radioMap``.
  public var usesMap: Bool
  /// The standard deviation of an error that all levels have in common, in dB; nil = as the radio
  /// map has it, and 3 dB without one.
  public var offset: Double?
  /// A Boolean value that is true if the silence of anchors with a ``Anchor/reception`` counts.
  public var usesSilence: Bool
  /// The time that answers wait for later sightings.
  public var lag: Duration
  /// The same seed gives the same answers.
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
  /// Of what is heard later, the next ten seconds are what an answer gains from. Its particles are
  /// more, as those that are left after a lag descend from fewer.
  static let smootherKind: AlgorithmKind = AlgorithmKind(
    "particle-smoother", "particle-filter that looks 10 s ahead, for recordings",
    [
      .number("particles", in: 10...1e6, default: "4000", "how many guesses of the place"),
      .guessedSpeed, .map, .offset, .silence, .seed,
    ]
  ) { ParticleFilter("particle-smoother", lag: .seconds(10), $0) }
}
