import Geometry
import Support

/// An algorithm's answer, drawn to the nearest place of interest (`attract`).
///
/// An answer d metres from the nearest spot is moved power / d² metres towards it, but no nearer
/// than the dead zone, in which nothing is moved:
///
///     d' = d                          d ≤ dead zone
///     d' = max(dead zone, d - power / d²)   else
///
/// So d' is continuous in d. As published, an answer just outside the dead zone was moved onto the
/// spot itself and one just inside was left alone, all spots pulled at once, and two near one
/// another pulled past both.
///
/// Without spots the answer is passed on as it is. Heights are left alone. The covariance gains the
/// outer product of the move with itself: that much is wrong where the target was not at the spot.
///
/// olferuk/IBeaconLocation, commit 8687e7d, `Attractor`.
public struct Attraction: DelayedAlgorithm {
  static let kind = AlgorithmKind(
    "attract", "an algorithm's answer, drawn to the nearest spot: attract:to=spots,of=centroid",
    [
      .choice("to", default: Target.spots, "places of the site that it is drawn to"),
      .text(
        "of", mustBe: "an algorithm", example: "centroid",
        "the algorithm that is drawn; + for the commas between its parameters"),
      .number("power", in: 0...1e6, unit: "m³", default: "0.1", "power of the attraction"),
      .number(
        "dead-zone", in: 0...1e6, unit: "m", default: "0.2", "distance within which it stays"),
    ], isInAll: false
  ) { values throws(RSSIError) in
    Attraction(
      of: try Algorithms.named(Specification.nested(values.text("of"))),
      power: values.number("power"), deadZone: values.number("dead-zone"),
      name: values.specification.text)
  }

  /// What an estimate may be drawn to.
  enum Target: String, CaseIterable {
    case spots
  }

  public let name: String
  public var isCausal: Bool { algorithm.isCausal }
  private let algorithm: any PositioningAlgorithm
  /// In m³: the move of an answer 1 m away, in metres.
  private let power: Double
  /// In metres.
  private let deadZone: Double

  /// Creates an attraction of an algorithm's answers.
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
    algorithm.locate(scans, in: surroundings).map { drawn($0, to: surroundings.spots) }
  }

  public var lag: Int64 { (algorithm as? any DelayedAlgorithm)?.lag ?? 0 }

  public func lookingBack(in surroundings: Surroundings) -> (any LiveTrack)? {
    let inner =
      (algorithm as? any DelayedAlgorithm)?.lookingBack(in: surroundings)
      ?? algorithm.track(in: surroundings)
    return inner.map {
      AttractedTrack(inner: $0, attraction: self, spots: surroundings.spots)
    }
  }

  /// An attraction at work.
  private struct AttractedTrack: LiveTrack {
    var inner: any LiveTrack
    let attraction: Attraction
    let spots: [Point]

    mutating func locate(_ scan: Scan) -> Outcome {
      attraction.drawn(inner.locate(scan), to: spots)
    }
  }

  private func drawn(_ outcome: Outcome, to spots: [Point]) -> Outcome {
    guard case .located(let estimate) = outcome else { return outcome }
    return .located(drawn(estimate, to: spots))
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
  ///   - distance: before, in metres.
  ///   - power: in m³.
  ///   - deadZone: in metres.
  public static func distance(_ distance: Double, power: Double, deadZone: Double) -> Double {
    guard distance > deadZone else { return distance }
    return max(deadZone, distance - power / (distance * distance))
  }
}
