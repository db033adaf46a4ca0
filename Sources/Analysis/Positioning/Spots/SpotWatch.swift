package import Geometry

/// At which spot a target is, stated from its positions with their uncertainties.
///
/// A target is at one spot at most. It reaches the likeliest spot once the probability that it is
/// within the radius is `reached` or more, and leaves it once that is below `left`, or below
/// `reached` while another spot has `reached`. Discs that do not overlap cannot both have more than
/// a half, so that an ellipse over many spots reaches none. Between `left` and `reached` nothing
/// changes, nor where there is no position or one without a covariance.
package struct SpotWatch: Sendable {
  /// When a spot is reached and left.
  package struct Rule: Equatable, Sendable {
    /// About each spot, in metres.
    package var radius: Double
    /// Probabilities of being within.
    package var reached: Double
    package var left: Double

    package init(radius: Double = 2, reached: Double = 0.5, left: Double = 0.25) {
      (self.radius, self.reached, self.left) = (radius, reached, left)
    }
  }

  /// What happened, with the spot's number.
  package enum Change: Equatable, Sendable {
    case reached(spot: Int, probability: Double)
    /// The probability is nil where the target is not heard any more.
    case left(spot: Int, probability: Double?)
  }

  package let rule: Rule
  private let spots: [Point]
  /// The spot at which the target is.
  package private(set) var current: Int?

  package init(_ spots: [Point], rule: Rule = Rule()) {
    self.spots = spots
    self.rule = rule
  }

  /// Takes the next answer; a spot is left before another is reached.
  package mutating func take(_ outcome: Outcome) -> [Change] {
    guard case .located(let estimate) = outcome, estimate.uncertainty.covariance != nil else {
      return []
    }
    var likeliest: (spot: Int, probability: Double)?
    var here = 0.0
    for (spot, place) in spots.enumerated() {
      guard let probability = estimate.probability(within: rule.radius, of: place) else {
        return []
      }
      if spot == current { here = probability }
      if probability > likeliest?.probability ?? 0 { likeliest = (spot, probability) }
    }
    let next = likeliest.flatMap { $0.probability >= rule.reached ? $0 : nil }
    var changes: [Change] = []
    if let spot = current, here < rule.left || (next != nil && here < rule.reached) {
      changes.append(.left(spot: spot, probability: here))
      current = nil
    }
    if current == nil, let next {
      changes.append(.reached(spot: next.spot, probability: next.probability))
      current = next.spot
    }
    return changes
  }

  /// The target is not heard any more.
  package mutating func end() -> Change? {
    defer { current = nil }
    return current.map { .left(spot: $0, probability: nil) }
  }
}
