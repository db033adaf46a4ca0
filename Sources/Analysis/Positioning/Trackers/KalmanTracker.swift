import Geometry

/// A Kalman filter on place and velocity, with each anchor's shadowing in its state (`kalman`).
///
/// Levels update the place directly, over real times. A question about an earlier time than the
/// newest level is answered by keeping the place of that time in the state (fixed-lag smoothing).
/// The track begins from a weighing of places all over the area, and begins anew where half of the
/// newest levels are farther than three deviations off, after 30 s without levels, and while that
/// leaves the place open. Walls are not heeded.
///
/// Bar-Shalom, Li and Kirubarajan, "Estimation with applications to tracking and navigation", 2001.
package struct KalmanTracker: PositioningAlgorithm {
  static let kind = AlgorithmKind(
    "kalman", "a Kalman filter on place and velocity, led by levels",
    [
      AlgorithmParameter("speed", "root mean square of the target's speed, in m/s", fallback: "1"),
      AlgorithmParameter("map", "whether levels are those of the radio map", fallback: "no"),
    ]
  ) { settings throws(AlgorithmError) in
    KalmanTracker(
      speed: try settings.number("speed", or: 1, in: 0.01...100),
      usesMap: try settings.flag("map", or: false))
  }

  package var name: String { Self.kind.name }
  /// Root mean square of the target's speed, in metres per second.
  package var speed: Double
  /// Whether expected levels are those of ``Surroundings/radioMap``.
  package var usesMap: Bool

  package init(speed: Double = 1, usesMap: Bool = false) {
    self.speed = speed
    self.usesMap = usesMap
  }

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
    return track(TrackedTrace([], in: surroundings), bounds, in: surroundings)
  }

  private func track(
    _ trace: TrackedTrace, _ bounds: Bounds, in surroundings: Surroundings
  ) -> KalmanTrack {
    KalmanTrack(
      trace, links: MeasurementModel(trace.anchors, map: usesMap ? surroundings.radioMap : nil),
      area: WalkableArea(surroundings, bounds: bounds, anchors: trace.anchors),
      motion: Pedestrian(speed: speed))
  }
}

extension Bounds {
  /// ``Surroundings/searchBounds`` about anchors that are only known from what was heard.
  init?(searchedAbout anchors: [Anchor]) {
    var surroundings = Surroundings()
    surroundings.anchors = anchors
    guard let bounds = surroundings.searchBounds else { return nil }
    self = bounds
  }
}
