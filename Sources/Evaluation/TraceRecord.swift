public import Positioning

/// What one algorithm did at each epoch of one trace.
///
/// Epochs are told apart by their place in the order, so all algorithms append every epoch.
public struct TraceRecord: Equatable, Sendable {
  /// The distance from the truth in metres for each epoch; nil where the algorithm refused.
  public private(set) var errors: [Double?] = []
  /// How often it refused, by reason.
  public private(set) var refusals: [Refusal: Int] = [:]

  public init() {}

  /// Notes the answer to the next epoch.
  public mutating func append(_ outcome: Outcome, truth: Point) {
    switch outcome {
    case .located(let estimate):
      errors.append(estimate.position.distance(to: truth))
    case .refused(let refusal):
      errors.append(nil)
      refusals[refusal, default: 0] += 1
    }
  }
}
