import Support

/// Puts questions off until what is heard for some time after their instants is known: answers come
/// a lag late, and know more (fixed-lag smoothing).
///
/// Each question goes with the first scan whose instant is at least the lag after its own, or with
/// the last one of all. Scans at which no question is due ask for their own instants, and several
/// questions at one scan become scans of that instant without levels. Trackers look back from each.
package struct QuestionDelay {
  /// A scan to be answered.
  package struct Step {
    package var scan: Scan
    /// The instant of the question that its answer is about; nil where there is none.
    package var instant: Int64?
  }

  /// In nanoseconds.
  private let lag: Int64
  /// Those that are not answered yet, without their levels.
  private var pending: [Scan] = []
  private var last: Int64 = 0

  package init(lag: Duration) { self.lag = lag.nanoseconds }

  /// The steps with which the next scan is answered.
  package mutating func take(_ scan: Scan) -> [Step] {
    guard lag > .zero else { return [Step(scan: scan, instant: scan.instant)] }
    last = scan.instant
    pending.append(Scan(instant: scan.instant, asked: scan.asked, start: 0, observations: []))
    var host = scan
    var due = pending.prefix { $0.instant <= scan.instant - lag }
    pending.removeFirst(due.count)
    guard let first = due.popFirst() else {
      host.asked = scan.instant
      return [Step(scan: host, instant: nil)]
    }
    host.asked = first.asked
    return [Step(scan: host, instant: first.instant)] + due.map(step)
  }

  /// The steps for what is still to be answered: nothing is heard any more.
  package mutating func finish() -> [Step] {
    let steps = pending.map(step)
    pending = []
    return steps
  }

  private func step(_ question: Scan) -> Step {
    Step(
      scan: Scan(instant: last, asked: question.asked, start: last, observations: []),
      instant: question.instant)
  }
}

/// An algorithm whose answers may wait for what is heard later.
public protocol DelayedAlgorithm: PositioningAlgorithm {
  /// The time that answers wait; zero if nothing later is used.
  var lag: Duration { get }
  /// Returns a track that can look back by the lag from each scan: scans ask for their own instants
  /// or for those of scans before.
  func lookingBack(in surroundings: Surroundings) -> (any LiveTrack)?
}

extension DelayedAlgorithm {
  public var isCausal: Bool { lag == .zero }

  public func track(in surroundings: Surroundings) -> (any LiveTrack)? {
    lag == .zero ? lookingBack(in: surroundings) : nil
  }

  /// The answers to scans, each put off by the lag.
  ///
  /// Scans without times of their levels stand alone, and are not put off.
  func delayed(_ scans: [Scan], answer: ([Scan]) -> [Outcome]) -> [Outcome] {
    guard lag > .zero, scans.allSatisfy({ !$0.readings.isEmpty || $0.observations.isEmpty }) else {
      return answer(scans)
    }
    var delay = QuestionDelay(lag: lag)
    var steps: [QuestionDelay.Step] = []
    for scan in scans { steps += delay.take(scan) }
    steps += delay.finish()
    return zip(steps, answer(steps.map(\.scan))).filter { $0.0.instant != nil }.map(\.1)
  }
}

extension Parameter {
  /// At most a minute, which bounds what a tracker remembers.
  static let lag = time(
    "lag", atMost: Algorithms.longestLag,
    "time that an answer waits for later sightings (default: none)")
}

/// A live track whose answers may wait for what is heard later, in memory that does not grow.
package struct DelayedTrack {
  /// An answer, and the instant that it is about.
  package typealias Answer = (instant: Int64, outcome: Outcome)

  private var delay: QuestionDelay
  private var track: any LiveTrack

  /// Returns whether an algorithm answers before the end of a trace, with a lag or without.
  package static func canFollow(_ algorithm: any PositioningAlgorithm) -> Bool {
    algorithm.isCausal || ((algorithm as? any DelayedAlgorithm)?.lag ?? .zero) > .zero
  }

  /// - Returns: nil where answers wait for the end of a trace.
  package init?(_ algorithm: any PositioningAlgorithm, in surroundings: Surroundings) {
    let delayed = algorithm as? any DelayedAlgorithm
    guard
      let track = delayed.map({ $0.lookingBack(in: surroundings) })
        ?? algorithm.track(in: surroundings)
    else { return nil }
    self.track = track
    delay = QuestionDelay(lag: delayed?.lag ?? .zero)
  }

  /// The answers that the next scan makes final.
  package mutating func locate(_ scan: Scan) -> [Answer] { answers(delay.take(scan)) }

  /// The answers that are still open when nothing is heard any more.
  package mutating func finish() -> [Answer] { answers(delay.finish()) }

  private mutating func answers(_ steps: [QuestionDelay.Step]) -> [Answer] {
    steps.compactMap { step in
      let outcome = track.locate(step.scan)
      return step.instant.map { ($0, outcome) }
    }
  }
}
