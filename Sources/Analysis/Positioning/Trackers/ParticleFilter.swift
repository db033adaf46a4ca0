import Geometry

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
package struct ParticleFilter: PositioningAlgorithm {
  static let kind = AlgorithmKind(
    "particle-filter", "a particle filter on place and velocity, stopped by walls",
    [
      AlgorithmParameter("particles", "how many guesses of the place", fallback: "2000"),
      AlgorithmParameter("speed", "root mean square of the target's speed, in m/s", fallback: "1"),
      AlgorithmParameter("map", "whether levels are those of the radio map", fallback: "no"),
      AlgorithmParameter(
        "silence", "whether silence counts, where receptions are known", fallback: "yes"),
      AlgorithmParameter("seed", "of the random numbers", fallback: "1"),
    ]
  ) { settings throws(AlgorithmError) in
    var filter = ParticleFilter()
    filter.particles = Int(try settings.number("particles", or: 2000, in: 10...1_000_000))
    filter.speed = try settings.number("speed", or: 1, in: 0.01...100)
    filter.usesMap = try settings.flag("map", or: false)
    filter.usesSilence = try settings.flag("silence", or: true)
    filter.seed = UInt64(try settings.number("seed", or: 1, in: 0...1e15))
    return filter
  }

  package var name: String { Self.kind.name }
  package var particles = 2000
  /// Root mean square of the target's speed, in metres per second.
  package var speed = 1.0
  /// Whether expected levels are those of ``Surroundings/radioMap``.
  package var usesMap = false
  /// Whether the silence of anchors with a ``Anchor/reception`` counts.
  package var usesSilence = true
  /// The same seed gives the same answers.
  package var seed: UInt64 = 1

  package init() {}

  package func locate(_ scans: [Scan], in surroundings: Surroundings) -> [Outcome] {
    if usesMap, surroundings.radioMap == nil { return scans.map { _ in .refused(.noSurvey) } }
    let trace = TrackedTrace(scans, in: surroundings)
    guard let bounds = surroundings.searchBounds ?? Bounds(searchedAbout: trace.anchors) else {
      return trace.parts.map { .refused($0.isInvalid ? .invalidRange : .tooFewAnchors) }
    }
    var track = track(trace, bounds, in: surroundings)
    return track.outcomes()
  }

  package func track(in surroundings: Surroundings) -> (any LiveTrack)? {
    if usesMap, surroundings.radioMap == nil { return RefusedTrack(refusal: .noSurvey) }
    guard let bounds = surroundings.searchBounds else {
      return RefusedTrack(refusal: .tooFewAnchors)
    }
    return track(TrackedTrace([], in: surroundings), bounds, in: surroundings, isLive: true)
  }

  private func track(
    _ trace: TrackedTrace, _ bounds: Bounds, in surroundings: Surroundings, isLive: Bool = false
  ) -> ParticleTrack {
    ParticleTrack(
      trace, links: MeasurementModel(trace.anchors, map: usesMap ? surroundings.radioMap : nil),
      area: WalkableArea(surroundings, bounds: bounds, anchors: trace.anchors), settings: self,
      isLive: isLive)
  }
}
