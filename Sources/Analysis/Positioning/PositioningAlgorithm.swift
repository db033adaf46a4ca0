/// A way to show positions from signal levels.
///
/// A value holds an algorithm's parameters and nothing else, so it serves all cores at once.
public protocol PositioningAlgorithm: Sendable {
  /// The name on the command line and in reports, such as `power-center`.
  var name: String { get }
  /// A Boolean value that is true if an answer uses nothing that was heard after the scan's
  /// instant.
  var isCausal: Bool { get }
  /// Returns the answer to each scan of one target in one trace; the scans are in order of time.
  func locate(_ scans: [Scan], in surroundings: Surroundings) -> [Outcome]
  /// Returns a track that answers scans one at a time; nil if answers need later scans.
  func track(in surroundings: Surroundings) -> (any LiveTrack)?
}

extension PositioningAlgorithm {
  public var isCausal: Bool { true }

  /// Returns the answer to a question that stands alone.
  public func locate(
    _ observations: [Observation], in surroundings: Surroundings = Surroundings()
  ) -> Outcome {
    locate([Scan(instant: 0, start: -1, observations: observations)], in: surroundings)[0]
  }
}

/// An algorithm without memory: each scan is answered from its own observations.
///
/// ```swift
/// /// Answers the place of the anchor that was heard best.
/// struct Nearest: EpochAlgorithm {
///   let name = "nearest"
///
///   func estimate(
///     _ observations: [Observation], in surroundings: Surroundings
///   ) throws(Refusal) -> Estimate {
///     guard let best = observations.max(by: { $0.rssi < $1.rssi }) else { throw .tooFewAnchors }
///     return Estimate(position: best.anchor, uncertainty: .unavailable(.noErrorModel))
///   }
/// }
/// ```
public protocol EpochAlgorithm: PositioningAlgorithm {
  /// Returns the position of the target with its uncertainty; throws the reason if there is none.
  func estimate(
    _ observations: [Observation], in surroundings: Surroundings
  ) throws(Refusal) -> Estimate
}

extension EpochAlgorithm {
  public func track(in surroundings: Surroundings) -> (any LiveTrack)? {
    IndependentTrack(self, in: surroundings)
  }

  public func locate(_ scans: [Scan], in surroundings: Surroundings) -> [Outcome] {
    scans.map { scan in
      do throws(Refusal) {
        return .located(try estimate(scan.observations, in: surroundings))
      } catch {
        return .refused(error)
      }
    }
  }

  /// Returns the position if nothing is known of the site beyond the observations.
  public func estimate(_ observations: [Observation]) throws(Refusal) -> Estimate {
    try estimate(observations, in: Surroundings())
  }
}

/// The answer of an algorithm at one epoch.
public enum Outcome: Equatable, Codable, Sendable {
  /// A position with its uncertainty.
  case located(Estimate)
  /// No position, with the reason.
  case refused(Refusal)

  package var estimate: Estimate? {
    if case .located(let estimate) = self { estimate } else { nil }
  }

  /// The reason why there is no position.
  package var refusal: Refusal? {
    if case .refused(let refusal) = self { refusal } else { nil }
  }

  /// The reason why there is a position without a covariance.
  package var withoutCovariance: Uncertainty.Reason? {
    if case .unavailable(let reason) = estimate?.uncertainty { reason } else { nil }
  }
}

/// An algorithm at work on one target as it is heard, one scan after the other.
///
/// It answers as ``PositioningAlgorithm/locate(_:in:)`` does for all scans at once, in memory that
/// does not grow with their number. Each scan asks for its own instant, and the surroundings list
/// every anchor.
public protocol LiveTrack {
  /// Returns the answer to the next scan, later than those before.
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
