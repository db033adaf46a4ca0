/// An algorithm at work on one target as it is heard, one scan after the other.
///
/// It answers as ``PositioningAlgorithm/locate(_:in:)`` does for all scans at once, in memory that
/// does not grow with their number. Each scan asks for its own instant, and the surroundings list
/// every anchor.
public protocol LiveTrack {
  /// The answer to the next scan, later than those before.
  mutating func locate(_ scan: Scan) -> Outcome
}

/// The track of an algorithm without memory: every scan stands alone.
struct IndependentTrack: LiveTrack {
  let algorithm: any PositioningAlgorithm
  let surroundings: Surroundings

  init(_ algorithm: any PositioningAlgorithm, in surroundings: Surroundings) {
    (self.algorithm, self.surroundings) = (algorithm, surroundings)
  }

  func locate(_ scan: Scan) -> Outcome { algorithm.locate([scan], in: surroundings)[0] }
}

/// The track of an algorithm that cannot answer in these surroundings.
struct RefusedTrack: LiveTrack {
  let refusal: Refusal

  func locate(_ scan: Scan) -> Outcome {
    .refused(scan.observations.allSatisfy(\.isValid) ? refusal : .invalidRange)
  }
}
