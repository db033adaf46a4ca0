import Support

/// A Bayes filter over the cells of a grid (`grid-filter`).
///
/// Each cell has a probability. Between readings it spreads like a walking person (``GridMotion``),
/// blocked by walls and the edges of rooms. It is multiplied by the likelihood of each reading, as
/// in ``PosteriorMean``; levels with a common error count as one (``LevelIndependence``). If the
/// question is about a time before the instant, the readings in between are propagated back to it.
/// Nothing later than the instant is used.
///
/// The answer and its covariance are those of the posterior. Linear in steps × cells × received
/// anchors.
///
/// Fox et al., "Bayesian Filtering for Location Estimation", IEEE Pervasive Computing 2003.
public struct GridFilter: DelayedAlgorithm {
  static let kind = AlgorithmKind(
    "grid-filter", "a Bayes filter over the cells of a grid; walls stop the target",
    GridSettings.parameters + [.lag]
  ) { GridFilter(GridSettings($0)) }

  public var name: String { Self.kind.name }
  /// The parameters of the grid.
  public var settings: GridSettings
  public var lag: Duration { settings.lag }

  /// Creates the algorithm with its parameters.
  public init(_ settings: GridSettings = GridSettings()) { self.settings = settings }

  public var usesBuildingMap: Bool { settings.usesMap }

  public func locate(_ scans: [Scan], in surroundings: Surroundings) -> [Outcome] {
    delayed(scans) { answers($0, in: surroundings) }
  }

  private func answers(_ scans: [Scan], in surroundings: Surroundings) -> [Outcome] {
    if settings.usesMap, surroundings.building != nil {
      guard var track = floorTrack(in: surroundings) else {
        return scans.map { _ in .refused(.noSurvey) }
      }
      return scans.map { track.locate($0) }
    }
    var tracking: GridTracking
    do throws(Refusal) {
      tracking = try GridTracking(scans, in: surroundings, settings: settings)
    } catch {
      return scans.map { _ in .refused(error) }
    }
    let track = tracking.track
    var kept = KeptWeights(track.questions.map(\.asked))
    var outcomes: [Outcome] = []
    outcomes.reserveCapacity(scans.count)
    var weights = tracking.start
    var next = 0
    for step in track.steps.indices {
      tracking.advance(&weights, to: step)
      kept.keep(weights, ofStep: step)
      while next < track.questions.count, track.questions[next].instant == step {
        let question = track.questions[next]
        next += 1
        let forward = kept.take(question.asked) ?? weights
        if let refusal = question.refusal {
          outcomes.append(.refused(refusal))
        } else if question.asked == step {
          outcomes.append(tracking.outcome(forward))
        } else {
          outcomes.append(tracking.outcome(forward, ofStep: question.asked, seenFrom: step))
        }
      }
    }
    return outcomes
  }
}

extension GridFilter {
  private func floorTrack(in surroundings: Surroundings) -> (any LiveTrack)? {
    surroundings.buildingMap.map { FloorTrack(on: $0, lag: lag.nanoseconds) }
  }

  public func lookingBack(in surroundings: Surroundings) -> (any LiveTrack)? {
    if settings.usesMap, surroundings.building != nil {
      return floorTrack(in: surroundings) ?? RefusedTrack(refusal: .noSurvey)
    }
    do throws(Refusal) {
      return GridFilterTrack(
        try GridTracking([], in: surroundings, settings: settings), isDelayed: lag > .zero)
    } catch {
      return RefusedTrack(refusal: error)
    }
  }
}

/// The track of a grid filter.
private struct GridFilterTrack: LiveTrack {
  private var tracking: GridTracking
  private var weights: [CellWeights]
  /// A Boolean value that is true if scans ask for the instants of earlier ones.
  private let isDelayed: Bool
  /// The states at the instants that later scans may ask for, with their steps.
  private var pasts: [(time: Int64, step: Int, weights: [CellWeights])] = []

  init(_ tracking: GridTracking, isDelayed: Bool) {
    self.tracking = tracking
    self.isDelayed = isDelayed
    weights = tracking.start
  }

  mutating func locate(_ scan: Scan) -> Outcome {
    if scan.asked < scan.instant { pasts.removeAll { $0.time < scan.asked } }
    var now = scan
    now.asked = scan.instant
    let forgotten = pasts.first?.step ?? max(tracking.track.steps.count - 1, 0)
    let steps = tracking.take(now, forgetting: forgotten)
    for index in pasts.indices { pasts[index].step -= forgotten }
    for step in steps { tracking.advance(&weights, to: step) }
    if isDelayed, let last = steps.last { pasts.append((scan.instant, last, weights)) }
    if let refusal = tracking.track.questions.last?.refusal { return .refused(refusal) }
    guard scan.asked < scan.instant, let past = pasts.first(where: { $0.time == scan.asked })
    else { return tracking.outcome(weights) }
    return tracking.outcome(
      past.weights, ofStep: past.step, seenFrom: tracking.track.steps.count - 1)
  }
}

/// The weights of steps that are needed later, each kept until its last use.
struct KeptWeights {
  private var claims: [Int: Int] = [:]
  private var kept: [Int: [CellWeights]] = [:]

  init(_ steps: [Int]) {
    for step in steps { claims[step, default: 0] += 1 }
  }

  mutating func keep(_ weights: [CellWeights], ofStep step: Int) {
    if claims[step] != nil { kept[step] = weights }
  }

  mutating func take(_ step: Int) -> [CellWeights]? {
    let weights = kept[step]
    claims[step, default: 1] -= 1
    if claims[step] == 0 { kept[step] = nil }
    return weights
  }
}
