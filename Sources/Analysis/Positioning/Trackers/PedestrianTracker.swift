import Geometry

/// A tracker of a person within bounds, with expected levels from the curves or a radio map.
protocol PedestrianTracker: DelayedAlgorithm {
  associatedtype Track: TraceTrack

  /// A Boolean value that is true if expected levels are those of ``Surroundings/radioMap``.
  var usesMap: Bool { get }

  /// - Parameter isLive: A Boolean value that is true if scans are still to come.
  func track(
    _ trace: TrackedTrace, links: MeasurementModel, area: WalkableArea, isLive: Bool
  ) -> Track
}

/// The state of a tracker for one target in one trace.
protocol TraceTrack: LiveTrack {
  /// Returns the answers to the scans of the trace, in their order.
  mutating func outcomes() -> [Outcome]
}

extension PedestrianTracker {
  func answers(to scans: [Scan], in surroundings: Surroundings) -> [Outcome] {
    if usesMap, surroundings.radioMap == nil { return scans.map { _ in .refused(.noSurvey) } }
    return delayed(scans) { scans in
      let trace = TrackedTrace(scans, in: surroundings)
      guard let bounds = surroundings.searchBounds ?? Bounds(searchedAbout: trace.anchors) else {
        return trace.parts.map { .refused($0.isInvalid ? .invalidRange : .tooFewAnchors) }
      }
      var track = track(trace, within: bounds, in: surroundings, isLive: false)
      return track.outcomes()
    }
  }

  func following(in surroundings: Surroundings) -> (any LiveTrack)? {
    if usesMap, surroundings.radioMap == nil { return RefusedTrack(refusal: .noSurvey) }
    guard let bounds = surroundings.searchBounds else {
      return RefusedTrack(refusal: .tooFewAnchors)
    }
    return track(
      TrackedTrace([], in: surroundings), within: bounds, in: surroundings, isLive: true)
  }

  private func track(
    _ trace: TrackedTrace, within bounds: Bounds, in surroundings: Surroundings, isLive: Bool
  ) -> Track {
    track(
      trace,
      links: MeasurementModel(
        trace.anchors, map: usesMap ? surroundings.radioMap : nil,
        curveError: surroundings.curveError,
        receptions: ReceptionEvidence(surroundings.radioMap, usesMap: usesMap)),
      area: WalkableArea(surroundings, bounds: bounds, anchors: trace.anchors), isLive: isLive)
  }
}

extension Bounds {
  /// Creates ``Surroundings/searchBounds`` around anchors known only from observations.
  fileprivate init?(searchedAbout anchors: [Anchor]) {
    var surroundings = Surroundings()
    surroundings.anchors = anchors
    guard let bounds = surroundings.searchBounds else { return nil }
    self = bounds
  }
}
