import Geometry
import NumericalMethods
import RealModule

/// The state of ``ParticleFilter`` for one target in one trace.
struct ParticleTrack: TraceTrack {
  private var trace: TrackedTrace
  private let links: MeasurementModel
  private let area: WalkableArea
  private let settings: ParticleFilter
  private let motion: ParticleMotion
  /// The column of each anchor that is or may be received.
  private let columns: [Int: Int]
  private var times: AskedTimes
  private var cloud: ParticleCloud?
  private var start: Int64 = 0
  private var newest: Int64 = 0
  /// The smoothed share of levels that fit.
  private var fitting = 1.0
  /// True for each anchor that was received since the start.
  private var isKnown: [Bool]
  private var silences: [Int64]
  private var silencesWeighed: Int64 = 0

  /// The exponent of the likelihood of further levels of an anchor.
  private let temper: Double

  /// The usual exponents, at once and after a long lag.
  ///
  /// Errors due to fading at rest, to a body, and to a map or a curve repeat from level to level, also
  /// between the levels before a question and those after it. With these exponents 95 % ellipses hold
  /// 91 to 99 % of simulated targets; with a map and an exponent of 1 they hold 84 % of targets at
  /// rest, and 75 % if answers are late.
  static let usualTemper = (atOnce: 0.7, late: 0.45)
  /// The lag within which most of the difference arises.
  private static let repetition = Duration.seconds(2)

  /// The share of fitting levels below which the cloud is lost.
  private static let leastFitting = 0.5
  /// The time constant of the smoothed share, in seconds.
  private static let judgement = 3.0
  /// The interval between evaluations of silence, in nanoseconds.
  private static let silenceInterval: Int64 = 1_000_000_000

  /// The largest number of particles for the initial search, up to eight times the usual; the
  /// levels of the first moment select among them, because few of them are near the target.
  private static let mostCandidates = 1 << 15

  /// The smallest standard deviation of an answer, in metres, because resting particles and past
  /// places descend from few.
  private static let leastSpread = 0.1

  /// - Parameter isLive: A Boolean value that is true if scans are still to come.
  init(
    _ trace: TrackedTrace, links: MeasurementModel, area: WalkableArea, settings: ParticleFilter,
    isLive: Bool = false
  ) {
    self.trace = trace
    self.links = links
    self.area = area
    self.settings = settings
    let usual = Self.usualTemper
    let atOnce = Double.exp(-(settings.lag / Self.repetition))
    temper = settings.temper ?? (usual.late + (usual.atOnce - usual.late) * atOnce)
    motion = ParticleMotion(speed: settings.speed ?? (settings.usesMap ? nil : Pedestrian().speed))
    let heard =
      isLive
      ? Array(trace.anchors.indices)
      : Set(trace.parts.lazy.flatMap(\.bins).flatMap(\.levels).map(\.anchor)).sorted()
    columns = Dictionary(uniqueKeysWithValues: heard.enumerated().map { ($1, $0) })
    times = AskedTimes(trace.parts)
    isKnown = [Bool](repeating: false, count: trace.anchors.count)
    silences = [Int64](repeating: 0, count: trace.anchors.count)
  }

  mutating func locate(_ scan: Scan) -> Outcome {
    trace.take(scan)
    times.take(trace.parts[0], isDelayed: settings.lag > .zero)
    return answer(0)
  }

  mutating func outcomes() -> [Outcome] { trace.parts.indices.map { answer($0) } }

  private mutating func answer(_ question: Int) -> Outcome {
    let part = trace.parts[question]
    defer { if times.answer(part.asked) { cloud?.forget(part.asked) } }
    if part.isInvalid { return .refused(.invalidRange) }
    for (number, bin) in part.bins.enumerated() {
      if cloud == nil || isLost(at: bin.time) { begin(at: bin.time) }
      follow(to: bin.time)
      hear(bin, stop: number + 1 == part.bins.count ? part.stop : [])
    }
    guard cloud != nil else { return .refused(.tooFewAnchors) }
    follow(to: part.instant)
    guard let (place, covariance) = cloud?.place(at: part.asked) else {
      return .refused(.notConverged)
    }
    return .located(
      estimate(place, links.dispersion * covariance, late: max(0, start - part.asked)))
  }

  private func isLost(at time: Int64) -> Bool {
    Double(time - newest) * 1e-9 > Pedestrian.longestSilence || fitting < Self.leastFitting
  }

  private mutating func begin(at time: Int64) {
    cloud = ParticleCloud(
      max(settings.particles, min(8 * settings.particles, Self.mostCandidates)),
      columns: columns.count, in: area, motion: motion,
      offsetVariance: links.offsetVariance(settings.offset),
      curveError: links.curveError, numbers: cloud?.numbers ?? VectorStream(seed: settings.seed),
      time: time)
    (start, newest, fitting) = (time, time, 1)
    silencesWeighed = time
    for anchor in silences.indices { (isKnown[anchor], silences[anchor]) = (false, time) }
    for asked in times.restart(at: time) { cloud?.remember(asked) }
  }

  private mutating func follow(to time: Int64) {
    while let asked = times.next(upTo: time) {
      cloud?.advance(to: asked)
      cloud?.remember(asked)
    }
    cloud?.advance(to: time)
  }

  /// - Parameter stop: The numbers of packets of a whole stop.
  private mutating func hear(
    _ bin: TrackedTrace.Bin, stop: [(anchor: Int, packets: Double)]
  ) {
    guard var cloud else { return }
    self.cloud = nil
    let memory = Double.exp(-Double(bin.time - newest) * 1e-9 / Self.judgement)
    let levels = bin.levels.compactMap { level in
      columns[level.anchor].map { column in
        // The first level of an anchor repeats nothing.
        ParticleCloud.Level(
          level: level, column: column, temper: isKnown[level.anchor] ? temper : 1)
      }
    }
    let share = cloud.hear(levels, links) / Double(bin.levels.count)
    for anchor in levels.map(\.level.anchor) {
      (isKnown[anchor], silences[anchor]) = (true, bin.time)
    }
    fitting = memory * fitting + (1 - memory) * share
    newest = bin.time
    if settings.usesSilence, !stop.isEmpty, let receptions = links.receptions {
      receptions.forEachAnchor(stop) { anchor, costs in
        cloud.hear(costs, of: anchor, receptions.counts, column: columns[anchor], links)
      }
      silencesWeighed = bin.time
    } else {
      weighSilences(&cloud, at: bin.time)
    }
    cloud.resample(to: (settings.particles + 7) / 8)
    self.cloud = cloud
  }

  /// Weights the particles by the anchors that were silent while others were received.
  private mutating func weighSilences(_ cloud: inout ParticleCloud, at time: Int64) {
    guard settings.usesSilence, time - silencesWeighed >= Self.silenceInterval else { return }
    for (anchor, station) in trace.anchors.enumerated() {
      guard let reception = station.reception else { continue }
      let since = max(silences[anchor], silencesWeighed)
      // A longer silence is a pause of the receiver, which carries no information about one anchor.
      let seconds = min(Double(time - since) * 1e-9, 2)
      if time - since >= Self.silenceInterval {
        cloud.hearNothing(
          of: anchor, reception, column: columns[anchor], seconds: seconds, links)
      }
    }
    silencesWeighed = time
  }

  /// - Parameter late: The time in nanoseconds from the question to the particles' start, if that
  ///   is later.
  private func estimate(_ place: SpacePoint, _ spread: Covariance, late: Int64) -> Estimate {
    let way = motion.usualSpeed * Double(late) * 1e-9
    let drift = way * way / 2 + Self.leastSpread * Self.leastSpread
    return Estimate(
      position: place.planar, height: area.heights == nil ? nil : place.z,
      uncertainty: .covariance(
        Covariance(
          xx: spread.xx + drift, xy: spread.xy, yy: spread.yy + drift,
          vertical: area.heights == nil ? nil : spread.vertical)))
  }
}
