import Support

/// A delay of questions until the data of some time after their instants is available: answers come
/// a lag later and are more accurate (fixed-lag smoothing).
///
/// Each question is answered at the first scan whose instant is at least the lag after its own, or
/// at the last scan. Scans without a due question ask for their own instants, and several questions
/// at one scan become scans of that instant without levels. Trackers look back from each.
package struct QuestionDelay {
  /// A scan to answer.
  package struct Step {
    package var scan: Scan
    /// The instant of the question that its answer is for; `nil` for none.
    package var instant: Int64?
  }

  /// The lag in nanoseconds.
  private let lag: Int64
  /// The unanswered scans, without their levels.
  private var pending: [Scan] = []
  private var last: Int64 = 0

  package init(lag: Duration) { self.lag = lag.nanoseconds }

  /// Returns the steps with which to answer the next scan.
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

  /// Returns the steps for the remaining questions at the end of the data.
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

/// An algorithm whose answers may be delayed for later data.
public protocol DelayedAlgorithm: PositioningAlgorithm {
  /// The time that answers wait; zero if nothing later is used.
  var lag: Duration { get }
  /// Returns a track that can look back by the lag from each scan: scans ask for their own instants
  /// or for those of earlier scans.
  func lookingBack(in surroundings: Surroundings) -> (any LiveTrack)?
}

extension DelayedAlgorithm {
  public var isCausal: Bool { lag == .zero }

  public func track(in surroundings: Surroundings) -> (any LiveTrack)? {
    lag == .zero ? lookingBack(in: surroundings) : nil
  }

  /// Returns the answers to scans, each delayed by the lag.
  ///
  /// Scans whose levels have no times are answered one by one, without delay.
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
  /// The lag parameter; at most a minute, which bounds the memory of a tracker.
  static let lag = time(
    "lag", atMost: Algorithms.longestLag,
    "delay of an answer for later sightings (default: none)")
}

/// A live track whose answers may be delayed for later data, in constant memory.
package struct DelayedTrack {
  /// An answer, with the instant that it is for.
  package typealias Answer = (instant: Int64, outcome: Outcome)

  private var delay: QuestionDelay
  private var track: any LiveTrack

  /// Returns a Boolean value that is true if an algorithm can answer before the end of a trace,
  /// with or without a lag.
  package static func canFollow(_ algorithm: any PositioningAlgorithm) -> Bool {
    algorithm.isCausal || ((algorithm as? any DelayedAlgorithm)?.lag ?? .zero) > .zero
  }

  /// - Returns: `nil` if answers need the rest of the trace.
  package init?(_ algorithm: any PositioningAlgorithm, in surroundings: Surroundings) {
    let delayed = algorithm as? any DelayedAlgorithm
    guard
      let track = delayed.map({ $0.lookingBack(in: surroundings) })
        ?? algorithm.track(in: surroundings)
    else { return nil }
    self.track = track
    delay = QuestionDelay(lag: delayed?.lag ?? .zero)
  }

  /// Returns the answers that the next scan makes final.
  package mutating func locate(_ scan: Scan) -> [Answer] { answers(delay.take(scan)) }

  /// Returns the answers that are still open at the end of the data.
  package mutating func finish() -> [Answer] { answers(delay.finish()) }

  private mutating func answers(_ steps: [QuestionDelay.Step]) -> [Answer] {
    steps.compactMap { step in
      let outcome = track.locate(step.scan)
      return step.instant.map { ($0, outcome) }
    }
  }
}
