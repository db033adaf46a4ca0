/// ``GridFilter`` forwards and backwards: each position uses everything received before and after
/// it (`grid-smoother`).
///
/// For recordings: an answer uses later data, to the end of the trace. The forward weights are kept
/// at every √n-th of n steps and recomputed in between, so the memory is √n × cells instead of n ×
/// cells; the work is three times the filter's.
///
/// Rabiner, "A Tutorial on Hidden Markov Models", Proceedings of the IEEE 1989, section III.
public struct GridSmoother: PositioningAlgorithm {
  static let kind = AlgorithmKind(
    "grid-smoother", "grid-filter forwards and backwards, for recordings", GridSettings.parameters
  ) { GridSmoother(GridSettings($0)) }

  public var name: String { Self.kind.name }
  public var isCausal: Bool { false }
  public var usesBuildingMap: Bool { settings.usesMap }
  /// The parameters of the grid.
  public var settings: GridSettings

  /// Creates the algorithm with its parameters.
  public init(_ settings: GridSettings = GridSettings()) { self.settings = settings }

  /// Returns `nil`, because an answer needs the rest of the trace.
  public func track(in surroundings: Surroundings) -> (any LiveTrack)? { nil }

  public func locate(_ scans: [Scan], in surroundings: Surroundings) -> [Outcome] {
    if settings.usesMap, surroundings.building != nil {
      return surroundings.buildingMap.map { FloorSmoother(on: $0).answers(scans) }
        ?? scans.map { _ in .refused(.noSurvey) }
    }
    var tracking: GridTracking
    do throws(Refusal) {
      tracking = try GridTracking(scans, in: surroundings, settings: settings)
    } catch {
      return scans.map { _ in .refused(error) }
    }
    let track = tracking.track
    var outcomes = [Outcome](repeating: .refused(.tooFewAnchors), count: scans.count)
    let stride = max(1, Int(Double(track.steps.count).squareRoot()))
    var checkpoints: [[CellWeights]] = []
    var weights = tracking.start
    for step in track.steps.indices {
      tracking.advance(&weights, to: step)
      if step % stride == 0 { checkpoints.append(weights) }
    }

    let askers = Dictionary(grouping: track.questions.indices) { track.questions[$0].asked }
    var backward = tracking.start
    for (number, checkpoint) in checkpoints.enumerated().reversed() {
      let first = number * stride
      let last = min(first + stride, track.steps.count) - 1
      var forward: [Int: [CellWeights]] = [:]
      var weights = checkpoint
      for step in first...last {
        if step > first { tracking.advance(&weights, to: step) }
        if askers[step] != nil { forward[step] = weights }
      }
      for step in (first...last).reversed() {
        if let here = forward[step] {
          for question in askers[step] ?? [] {
            outcomes[question] =
              track.questions[question].refusal.map { .refused($0) }
              ?? tracking.outcome(here, times: backward)
          }
        }
        if step > 0 { tracking.retreat(&backward, from: step) }
      }
    }
    return outcomes
  }
}
