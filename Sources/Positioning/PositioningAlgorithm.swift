/// A way to tell a position from the signal levels of one epoch.
///
/// An algorithm keeps no state between epochs, so one value serves all cores at once.
public protocol PositioningAlgorithm: Sendable {
  /// The name on the command line and in reports, such as `power-center`.
  var name: String { get }
  /// The position of the target, with its uncertainty; throws the reason where there is none.
  func estimate(_ observations: [Observation]) throws(Refusal) -> Estimate
}

extension PositioningAlgorithm {
  /// Answers with a position, or says by name why it cannot: ``estimate(_:)`` with the reason as a value.
  public func locate(_ observations: [Observation]) -> Outcome {
    do {
      return .located(try estimate(observations))
    } catch {
      return .refused(error)
    }
  }
}

/// The answer of an algorithm at one epoch.
public enum Outcome: Equatable, Sendable {
  case located(Estimate)
  case refused(Refusal)
}
