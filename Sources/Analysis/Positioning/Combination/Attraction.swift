import Geometry
import Support

/// An algorithm's answer, attracted to the nearest place of interest (`attract`).
///
/// An answer d metres from the nearest spot moves power / d² metres towards it, but no nearer than
/// the dead zone, in which nothing moves:
///
///     d' = d                          d ≤ dead zone
///     d' = max(dead zone, d - power / d²)   else
///
/// d' is therefore continuous in d. As published, an answer just outside the dead zone moved onto
/// the spot itself, one just inside stayed, all spots pulled at once, and two neighbouring spots
/// pulled past both.
///
/// Without spots the answer is unchanged. Heights are unchanged. The covariance gains the outer
/// product of the move with itself, the error if the target was not at the spot.
///
/// olferuk/IBeaconLocation, commit 8687e7d, `Attractor`.
public struct Attraction: DelayedAlgorithm {
  static let kind = AlgorithmKind(
    "attract", "an algorithm's answer attracted to the nearest spot: attract:to=spots,of=centroid",
    [
      .choice("to", default: Target.spots, "places of the site that attract"),
      .text(
        "of", mustBe: "an algorithm", example: "centroid",
        "the algorithm; write + for commas between its parameters"),
      .number("power", in: 0...1e6, unit: "m³", default: "0.1", "strength of the attraction"),
      .number(
        "dead-zone", in: 0...1e6, unit: "m", default: "0.2", "distance without attraction"),
    ], isInAll: false
  ) { values throws(RSSIError) in
    Attraction(
      of: try Algorithms.named(Specification.nested(values.text("of"))),
      power: values.number("power"), deadZone: values.number("dead-zone"),
      name: values.specification.text)
  }

  /// The places that may attract an estimate.
  enum Target: String, CaseIterable {
    case spots
  }

  public let name: String
  public var isCausal: Bool { algorithm.isCausal }
  public var usesBuildingMap: Bool { algorithm.usesBuildingMap }
  private let algorithm: any PositioningAlgorithm
  /// The strength in m³: the move of an answer 1 m away, in metres.
  private let power: Double
  /// The distance within which nothing moves, in metres.
  private let deadZone: Double

  /// Creates an attraction for an algorithm's answers.
  ///
  /// - Parameters:
  ///   - power: the strength of the attraction, in m³.
  ///   - deadZone: the distance from a spot within which an answer stays, in metres.
  public init(
    of algorithm: any PositioningAlgorithm, power: Double, deadZone: Double,
    name: String = "attract"
  ) {
    (self.algorithm, self.power, self.deadZone, self.name) = (algorithm, power, deadZone, name)
  }

  public func locate(_ scans: [Scan], in surroundings: Surroundings) -> [Outcome] {
    algorithm.locate(scans, in: surroundings).map { drawn($0, in: surroundings) }
  }

  public var lag: Duration { (algorithm as? any DelayedAlgorithm)?.lag ?? .zero }

  public func lookingBack(in surroundings: Surroundings) -> (any LiveTrack)? {
    let inner =
      (algorithm as? any DelayedAlgorithm)?.lookingBack(in: surroundings)
      ?? algorithm.track(in: surroundings)
    return inner.map {
      AttractedTrack(inner: $0, attraction: self, surroundings: surroundings)
    }
  }

  /// The track of an attraction.
  private struct AttractedTrack: LiveTrack {
    var inner: any LiveTrack
    let attraction: Attraction
    let surroundings: Surroundings

    mutating func locate(_ scan: Scan) -> Outcome {
      attraction.drawn(inner.locate(scan), in: surroundings)
    }
  }

  private func drawn(_ outcome: Outcome, in surroundings: Surroundings) -> Outcome {
    guard case .located(let estimate) = outcome else { return outcome }
    return .located(drawn(estimate, to: surroundings.spots(on: estimate.floor)))
  }

  private func drawn(_ estimate: Estimate, to spots: [Point]) -> Estimate {
    let place = estimate.position
    guard
      let spot = spots.min(by: { $0.distance(to: place) < $1.distance(to: place) })
    else { return estimate }
    let distance = spot.distance(to: place)
    let left = Self.distance(distance, power: power, deadZone: deadZone)
    guard left < distance else { return estimate }
    let share = (distance - left) / distance
    let (dx, dy) = (share * (spot.x - place.x), share * (spot.y - place.y))
    var drawn = estimate
    drawn.position = Point(x: place.x + dx, y: place.y + dy)
    if case .covariance(var covariance) = estimate.uncertainty {
      covariance.xx += dx * dx
      covariance.xy += dx * dy
      covariance.yy += dy * dy
      drawn.uncertainty = .firstOrder(covariance)
    }
    return drawn
  }

  /// Returns the distance of an answer from a spot after the attraction, in metres.
  ///
  /// - Parameters:
  ///   - distance: The distance before it, in metres.
  ///   - power: The strength, in m³.
  ///   - deadZone: The radius of the dead zone, in metres.
  public static func distance(_ distance: Double, power: Double, deadZone: Double) -> Double {
    guard distance > deadZone else { return distance }
    return max(deadZone, distance - power / (distance * distance))
  }
}
