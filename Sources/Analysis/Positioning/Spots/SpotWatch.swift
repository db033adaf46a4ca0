public import Geometry

/// A detector of the spot at which a target is, from its positions with their uncertainties.
///
/// A target is at one spot at most. It reaches the most probable spot once the probability of being
/// within the radius is at least `reached`, and leaves it once that is below `left`, or below
/// `reached` while another spot has `reached`. Two disjoint discs cannot both have more than a
/// half, so an ellipse over many spots reaches none. Between `left` and `reached` nothing changes,
/// nor without a position or its covariance.
public struct SpotWatch: Sendable {
  /// The rule by which spots are reached and left.
  public struct Rule: Equatable, Sendable {
    /// The radius around each spot, in metres.
    public var radius: Double
    /// The probability at which a node has reached a spot, 0 to 1.
    public var reached: Double
    /// The probability at which a node has left a spot, 0 to 1.
    public var left: Double

    /// Creates a rule; the radius is in metres.
    public init(radius: Double = 2, reached: Double = 0.5, left: Double = 0.25) {
      (self.radius, self.reached, self.left) = (radius, reached, left)
    }
  }

  /// A change, with the index of the spot.
  public enum Change: Equatable, Sendable {
    /// The node has reached a spot.
    case reached(spot: Int, probability: Double)
    /// The node has left a spot; the probability is `nil` if the target is no longer received.
    case left(spot: Int, probability: Double?)
  }

  /// The rule by which spots are reached and left.
  public let rule: Rule
  private let spots: [Point]
  /// The floor of each spot; empty for one plane.
  private let floors: [Int?]
  /// The spot at which the target is.
  public private(set) var current: Int?

  /// Creates a watch of spots.
  ///
  /// - Parameter floors: The index of the floor of each spot in a building; empty for one plane.
  public init(_ spots: [Point], floors: [Int?] = [], rule: Rule = Rule()) {
    (self.spots, self.floors) = (spots, floors)
    self.rule = rule
  }

  /// Handles the next answer; a spot is left before another is reached.
  public mutating func take(_ outcome: Outcome) -> [Change] {
    guard case .located(let estimate) = outcome, estimate.uncertainty.covariance != nil else {
      return []
    }
    var likeliest: (spot: Int, probability: Double)?
    var here = 0.0
    for (spot, place) in spots.enumerated() {
      guard var probability = estimate.probability(within: rule.radius, of: place) else {
        return []
      }
      if let floor = estimate.floor, floors.indices.contains(spot), floors[spot] != floor {
        probability = 0
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

  /// Handles the end of reception of the target.
  public mutating func end() -> Change? {
    defer { current = nil }
    return current.map { .left(spot: $0, probability: nil) }
  }
}
