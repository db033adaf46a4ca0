import Geometry
import NumericalMethods

/// The state of ``KalmanTracker`` for one target in one trace.
struct KalmanTrack: TraceTrack {
  private var trace: TrackedTrace
  private let links: MeasurementModel
  private let area: WalkableArea
  private let motion: Pedestrian
  private var times: AskedTimes
  private let isDelayed: Bool
  /// The variance of the offset common to all levels, in dB².
  private let offsetVariance: Double
  private let mostShadowings: Int
  private var state: KalmanState?
  /// A Boolean value that is true if the latest answer left the place undetermined.
  private var isOpen = false
  private var newest: Int64 = 0
  /// A Boolean value per recent level that is true if it was an outlier.
  private var outliers: [Bool] = []

  /// The number of recent levels of which half must fit.
  private static let judged = 20
  /// The largest breadth of an initial belief, as a share of the area's longer side.
  private static let openShare = 0.25
  /// The duration of levels that start a track together, in nanoseconds.
  private static let opening: Int64 = 1_000_000_000

  /// - Parameters:
  ///   - isDelayed: A Boolean value that is true if live questions are about earlier instants.
  ///   - mostShadowings: The largest number of estimated shadowings.
  init(
    _ trace: TrackedTrace, links: MeasurementModel, area: WalkableArea, motion: Pedestrian,
    offset: Double?, isDelayed: Bool, mostShadowings: Int
  ) {
    offsetVariance = links.offsetVariance(offset)
    self.mostShadowings = mostShadowings
    self.trace = trace
    self.links = links
    self.area = area
    self.motion = motion
    self.isDelayed = isDelayed
    times = AskedTimes(trace.parts)
  }

  mutating func locate(_ scan: Scan) -> Outcome {
    trace.take(scan)
    times.take(trace.parts[0], isDelayed: isDelayed)
    return answer(0)
  }

  mutating func outcomes() -> [Outcome] { trace.parts.indices.map { answer($0) } }

  private mutating func answer(_ question: Int) -> Outcome {
    let part = trace.parts[question]
    defer { if times.answer(part.asked) { state?.forget(part.asked) } }
    if part.isInvalid { return .refused(.invalidRange) }
    var bins = part.bins[...]
    if let first = bins.first, state == nil || isOpen || isLost(at: first.time) { begin(&bins) }
    for bin in bins {
      follow(to: bin.time)
      let outliers = state?.update(bin.levels, links) ?? bin.levels.map { _ in false }
      for isOutlier in outliers { judge(isOutlier) }
      state?.clamp(to: area)
      newest = bin.time
    }
    follow(to: part.instant)
    guard let state else { return .refused(outliers.isEmpty ? .tooFewAnchors : .notConverged) }
    let (mean, covariance) = state.place(at: part.asked)
    isOpen = isTooBroad(covariance)
    return .located(estimate(mean, covariance, late: max(0, state.start - part.asked)))
  }

  private func isLost(at time: Int64) -> Bool {
    let silence = Double(time - newest) * 1e-9
    return silence > Pedestrian.longestSilence || outliers.count { $0 } * 2 > Self.judged
  }

  private mutating func judge(_ isOutlier: Bool) {
    outliers.append(isOutlier)
    if outliers.count > Self.judged { outliers.removeFirst() }
  }

  /// Starts a track from the first second of some bins, and removes these.
  private mutating func begin(_ bins: inout ArraySlice<TrackedTrace.Bin>) {
    guard let first = bins.first else { return }
    let opening = bins.prefix { $0.time - first.time <= Self.opening }
    bins = bins.dropFirst(opening.count)
    var together = TrackedTrace.Bin(time: first.time, levels: [])
    for bin in opening {
      together.time = bin.time
      for level in bin.levels { together.add(level) }
    }
    outliers = []
    newest = together.time
    state = StartingBelief(
      together.levels, links, offsetVariance: offsetVariance, mostShadowings: mostShadowings,
      in: area
    ).map {
      KalmanState($0, motion: motion, time: together.time, mostShadowings: mostShadowings)
    }
    for asked in times.restart(at: together.time) { state?.remember(asked) }
  }

  /// Advances to a time, and stores the places of questions on the way.
  private mutating func follow(to time: Int64) {
    guard state != nil else { return }
    while let asked = times.next(upTo: time) {
      state?.advance(to: asked, motion: motion)
      state?.remember(asked)
    }
    state?.advance(to: time, motion: motion)
  }

  /// Returns a Boolean value that is true if the place is too uncertain for a Gaussian.
  private func isTooBroad(_ covariance: Matrix) -> Bool {
    let longer = max(
      area.bounds.maximum.x - area.bounds.minimum.x, area.bounds.maximum.y - area.bounds.minimum.y)
    return max(covariance[0, 0], covariance[1, 1]).squareRoot() > Self.openShare * longer
  }

  /// - Parameter late: The time in nanoseconds from the question to the track's start, if that is
  ///   later.
  private func estimate(_ mean: [Double], _ covariance: Matrix, late: Int64) -> Estimate {
    let gap = Double(late) * 1e-9
    let drift = motion.componentVariance * gap * gap
    let place = area.clamp(Point(x: mean[0], y: mean[1]))
    let height = area.heights.map { min(max(mean[2], $0.lowerBound), $0.upperBound) }
    return Estimate(
      position: place, height: height,
      uncertainty: .covariance(
        links.dispersion
          * Covariance(
            xx: covariance[0, 0] + drift, xy: covariance[0, 1], yy: covariance[1, 1] + drift,
            vertical: height == nil
              ? nil : .init(xz: covariance[0, 2], yz: covariance[1, 2], zz: covariance[2, 2]))))
  }
}
