/// A live track whose answers may wait for what is heard later, in memory that does not grow.
package struct DelayedTrack {
  /// An answer, and the instant that it is about.
  package typealias Answer = (instant: Int64, outcome: Outcome)

  private var delay: QuestionDelay
  private var track: any LiveTrack

  /// Whether an algorithm answers before the end of a trace, with a lag or without.
  package static func canFollow(_ algorithm: any PositioningAlgorithm) -> Bool {
    algorithm.isCausal || ((algorithm as? any DelayedAlgorithm)?.lag ?? 0) > 0
  }

  /// - Returns: nil where answers wait for the end of a trace.
  package init?(_ algorithm: any PositioningAlgorithm, in surroundings: Surroundings) {
    let delayed = algorithm as? any DelayedAlgorithm
    guard
      let track = delayed.map({ $0.lookingBack(in: surroundings) })
        ?? algorithm.track(in: surroundings)
    else { return nil }
    self.track = track
    delay = QuestionDelay(lag: delayed?.lag ?? 0)
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
