package import Support

/// A particle filter on place and velocity that walls and rooms stop (`particle-filter`).
///
/// Each particle keeps its own belief about every anchor's shadowing, so that packets of one place
/// do not pass for independent ones; silence of an anchor that is well known is information too. A
/// question about an earlier time is answered from what the particles remember (fixed-lag
/// smoothing). Particles begin anew all over the area where for some seconds most levels fit none
/// of them, and after 30 s without levels. The same scans give the same answers: random numbers
/// come from a seed.
///
/// Arulampalam et al., "A tutorial on particle filters", IEEE T-SP 50 (2002).
package struct ParticleFilter: PedestrianTracker {
  static let kind = AlgorithmKind(
    "particle-filter", "a particle filter on place and velocity, stopped by walls",
    [
      .number("particles", in: 10...1e6, default: "2000", "how many guesses of the place"), .speed,
      .map, .silence, .number("seed", in: 0...1e15, default: "1", "seed of the random numbers"),
    ]
  ) { ParticleFilter($0) }

  package var name: String { Self.kind.name }
  package var particles: Int
  /// Root mean square of the target's speed, in metres per second.
  package var speed: Double
  /// Whether expected levels are those of ``Surroundings/radioMap``.
  package var usesMap: Bool
  /// Whether the silence of anchors with a ``Anchor/reception`` counts.
  package var usesSilence: Bool
  /// The same seed gives the same answers.
  package var seed: UInt64

  package init(_ values: ParameterValues = kind.defaults) {
    (particles, seed) = (Int(values.number("particles")), UInt64(values.number("seed")))
    (speed, usesMap) = (values.number("speed"), values.flag("map"))
    usesSilence = values.flag("silence")
  }

  func track(
    _ trace: TrackedTrace, links: MeasurementModel, area: WalkableArea, isLive: Bool
  ) -> ParticleTrack {
    ParticleTrack(trace, links: links, area: area, settings: self, isLive: isLive)
  }
}
