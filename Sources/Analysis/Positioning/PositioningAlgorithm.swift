/// A method that estimates positions from signal levels.
///
/// A value holds only an algorithm's parameters, so all cores can share it.
public protocol PositioningAlgorithm: Sendable {
  /// The name on the command line and in reports, such as `power-center`.
  var name: String { get }
  /// A Boolean value that is true if an answer uses nothing that was received after the scan's
  /// instant.
  var isCausal: Bool { get }
  /// A Boolean value that is true if it answers in a ``Building`` by its map. Others answer on each
  /// floor as in a plane.
  var usesBuildingMap: Bool { get }
  /// Returns one answer per scan; the scans belong to one target in one trace, in order of time.
  func locate(_ scans: [Scan], in surroundings: Surroundings) -> [Outcome]
  /// Returns a track that answers scans one at a time, or `nil` if answers need later scans.
  func track(in surroundings: Surroundings) -> (any LiveTrack)?
}

extension PositioningAlgorithm {
  public var isCausal: Bool { true }
  public var usesBuildingMap: Bool { false }

  /// Returns the answer to a single scan.
  public func locate(
    _ observations: [Observation], in surroundings: Surroundings = Surroundings()
  ) -> Outcome {
    locate([Scan(instant: 0, start: -1, observations: observations)], in: surroundings)[0]
  }
}

/// An algorithm without memory, which answers each scan from its own observations.
///
/// ```swift
/// // Returns the place of the anchor with the strongest level.
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
  /// Returns the position of the target with its uncertainty, or throws the reason for not
  /// answering.
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

  /// Returns the position from the observations alone, without knowledge of the site.
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

  /// The reason for a position without a covariance.
  package var withoutCovariance: Uncertainty.Reason? {
    if case .unavailable(let reason) = estimate?.uncertainty { reason } else { nil }
  }
}

/// The state of an algorithm that follows one target live, one scan after the other.
///
/// It returns the same answers as ``PositioningAlgorithm/locate(_:in:)`` for all scans at once, in
/// constant memory. Each scan asks for the position at its own instant, and the surroundings list
/// every anchor.
public protocol LiveTrack {
  /// Returns the answer to the next scan, which must be later than the previous ones.
  mutating func locate(_ scan: Scan) -> Outcome
}

/// The track of an algorithm without memory.
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
