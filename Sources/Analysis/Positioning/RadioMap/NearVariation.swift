import Geometry
import RealModule

/// The part of a link's error that lasts for a step of a walk: the body and its surroundings, and
/// the changes between surveyed places.
///
/// It is learned from the variogram of a survey's single readings. For two readings i and j of one
/// anchor and recording, with h metres of way between them,
///
///     γ(h) = (e_i - e_j)² / 2 - (p_i² + p_j²) / 2 ≈ a + b² (1 - exp(-h / d))
///
/// with e the level's difference from the map and p² the variance of its packets' own error. Means
/// over a metre of way, as the levels of a radio map, contain half of b² at most.
///
/// Source: Chilès and Delfiner, "Geostatistics", 2012, sections 2.2 and 2.6.
package struct NearVariation: Equatable, Sendable {
  /// The standard deviation, in dB.
  package var deviation: Double
  /// The correlation length along the path, in metres.
  package var length: Double

  package init(deviation: Double, length: Double) {
    (self.deviation, self.length) = (deviation, length)
  }

  /// The upper edges of the bins of the variogram, in metres; each bin starts at the previous one.
  private static let edges = [0.05, 0.15, 0.3, 0.5, 0.8, 1.2, 2, 3, 4]
  /// The longest time between two readings of a pair, in nanoseconds: later, people around them
  /// have moved.
  private static let longestTime: Int64 = 20_000_000_000
  /// The smallest number of pairs of a bin, and of bins.
  private static let (fewestPairs, fewestBins) = (100, 3)
  /// The number of pairs above which a bin gains no weight: its pairs are not independent.
  private static let mostPairs = 10_000
  /// The lengths to which an estimate is limited, in metres: below, a particle's step is too long
  /// to follow it, and above, it is not separable from ``Shadowing/farDistance``.
  private static let lengths = 0.8...3.0

  /// An error of a level on the way, with the variance of its packets' own error in dB².
  private struct LevelError {
    var recording: Int
    var time: Int64
    var way: Double
    var error: Double
    var own: Double
  }

  /// The sums over the pairs of a bin.
  private struct Bin {
    var pairs = 0
    var way = 0.0
    var semivariance = 0.0
  }

  /// Learns it from the readings of a survey; `nil` if fewer than three bins have 100 pairs.
  ///
  /// Linear in the number of pairs of readings that are within 20 s and 4 m of way.
  ///
  /// - Parameters:
  ///   - order: The anchors to use, in an order that does not depend on their numbers.
  ///   - variation: The other components.
  ///   - offset: Returns the map's correction to the curve of an anchor at a place, in dB.
  init?(
    _ survey: [SurveyPoint], _ anchors: [Anchor], order: [Int], _ variation: LevelVariation,
    offset: (_ anchor: Int, _ place: Point) -> Double
  ) {
    var errors = [[LevelError]](repeating: [], count: anchors.count)
    for point in survey {
      for one in point.readings where anchors.indices.contains(one.reading.anchor) {
        let (anchor, packets) = (anchors[one.reading.anchor], Double(one.reading.packets))
        let own = anchor.packetSigma ?? variation.packetNoise
        let expected =
          anchor.expectedLevel(at: one.place, height: point.height ?? 0)
          + offset(one.reading.anchor, one.place)
        guard packets > 0, (one.reading.rssi - expected).isFinite else { continue }
        errors[one.reading.anchor].append(
          LevelError(
            recording: point.trace, time: one.reading.time, way: one.way,
            error: one.reading.rssi - expected, own: own * own / packets))
      }
    }
    var bins = [Bin](repeating: Bin(), count: Self.edges.count)
    for anchor in order { Self.add(errors[anchor], to: &bins) }
    bins.removeAll { $0.pairs < Self.fewestPairs }
    guard bins.count >= Self.fewestBins else { return nil }
    let (variance, length) = Self.fit(bins)
    self.init(
      deviation: max(variance, variation.placeNoise * variation.placeNoise, Shadowing.leastNear)
        .squareRoot(),
      length: min(max(length, Self.lengths.lowerBound), Self.lengths.upperBound))
  }

  private static func add(_ errors: [LevelError], to bins: inout [Bin]) {
    for (index, first) in errors.enumerated() {
      for second in errors[(index + 1)...] {
        let (way, time) = (abs(second.way - first.way), second.time &- first.time)
        guard second.recording == first.recording, time >= 0, time <= longestTime,
          let bin = edges.firstIndex(where: { way < $0 })
        else { break }
        let difference = second.error - first.error
        bins[bin].pairs += 1
        bins[bin].way += way
        bins[bin].semivariance += (difference * difference - first.own - second.own) / 2
      }
    }
  }

  /// Returns a + b² and d with the least sum of weighted squares.
  private static func fit(_ bins: [Bin]) -> (variance: Double, length: Double) {
    var best = (squares: Double.infinity, variance: 0.0, length: 0.0)
    for step in 0...60 {
      let length = 0.15 * Double.pow(4 / 0.15, Double(step) / 60)
      let points = bins.map { bin in
        let pairs = Double(bin.pairs)
        return (
          x: -Double.expMinusOne(-bin.way / pairs / length), y: bin.semivariance / pairs,
          weight: min(pairs, Double(mostPairs))
        )
      }
      for (a, b) in candidates(points) where a >= 0 && b >= 0 {
        let squares = points.reduce(0) {
          let error = $1.y - a - b * $1.x
          return $0 + $1.weight * error * error
        }
        if squares < best.squares { best = (squares, a + b, length) }
      }
    }
    return (best.variance, best.length)
  }

  /// Returns the line's coefficients, and those with one of them 0, of which the best one without
  /// negative coefficients is the constrained minimum.
  private static func candidates(
    _ points: [(x: Double, y: Double, weight: Double)]
  ) -> [(a: Double, b: Double)] {
    var (w, x, y, xx, xy) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for point in points {
      w += point.weight
      x += point.weight * point.x
      y += point.weight * point.y
      xx += point.weight * point.x * point.x
      xy += point.weight * point.x * point.y
    }
    let determinant = w * xx - x * x
    let slope = (w * xy - x * y) / determinant
    return [((y - slope * x) / w, slope), (max(y / w, 0), 0), (0, max(xy / xx, 0))]
  }
}
