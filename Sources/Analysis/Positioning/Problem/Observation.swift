public import Geometry
import RealModule

/// The level of one anchor at one epoch, with the constants of its path-loss curve.
public struct Observation: Equatable, Sendable {
  /// The place of the anchor in the plane, in metres.
  public var anchor: Point
  /// The height of the anchor above the reference level, in metres; 0 if heights are not known. See
  /// ``Anchor/heightDifference``.
  public var heightDifference: Double
  /// Signal level at this epoch, in dBm: filtered, or the mean over the window.
  public var rssi: Double
  /// RSSI at 1 m, in dBm.
  public var measuredPower: Double
  /// The path-loss exponent n in P - 10 n log10(d).
  public var exponent: Double
  /// Standard deviation of this level, the mean of its packets, about the path-loss curve, in dB.
  public var sigma: Double
  /// The anchor's place in ``Surroundings/anchors``.
  public var number: Int
  /// The number of packets in the mean.
  public var packets: Int

  /// Creates an observation; lengths are in metres, levels in dBm, and deviations in dB.
  public init(
    anchor: Point, heightDifference: Double = 0, rssi: Double, measuredPower: Double,
    exponent: Double, sigma: Double, number: Int = 0, packets: Int = 1
  ) {
    self.number = number
    self.packets = packets
    self.anchor = anchor
    self.heightDifference = heightDifference
    self.rssi = rssi
    self.measuredPower = measuredPower
    self.exponent = exponent
    self.sigma = sigma
  }

  /// Creates an observation of an anchor from the mean level of some packets, in dBm, with the
  /// standard deviation ``Anchor/sigma(ofMeanOf:)``.
  public init(_ anchor: Anchor, number: Int, rssi: Double, packets: Int = 1) {
    self.init(
      anchor: anchor.place, heightDifference: anchor.heightDifference, rssi: rssi,
      measuredPower: anchor.measuredPower, exponent: anchor.exponent,
      sigma: anchor.sigma(ofMeanOf: packets), number: number, packets: packets)
  }

  /// The distance at which the path-loss curve has this level, in metres: 10^((P - rssi) / 10 n).
  ///
  /// This is the median of the distance under log-normal shadowing; the mean is larger.
  public var slantRange: Double {
    Double.exp10((measuredPower - rssi) / (10 * exponent))
  }

  /// The logarithm of the squared slant range, ln s², without exponentiation.
  var logSquaredRange: Double { (measuredPower - rssi) / (5 * exponent) * Double.log(10) }

  /// The slant range projected into the plane, in metres; 0 if the anchor is higher than it.
  public var range: Double {
    let slant = slantRange
    return heightDifference == 0
      ? slant : max(0, slant * slant - heightDifference * heightDifference).squareRoot()
  }

  /// The relative standard deviation of the slant range: sigma ln10 / 10 n, to first order.
  public var relativeRangeDeviation: Double { sigma * Double.log(10) / (10 * exponent) }

  /// The relative root mean square error of the slant range.
  ///
  /// The range is log-normal about the true one: with δ the standard deviation of its logarithm
  /// (``relativeRangeDeviation``), E(d / s - 1)² = e^(2δ²) - 2 e^(δ²/2) + 1, which is δ² for small
  /// δ, and more than twice that from δ = 0.7 on.
  var relativeRangeError: Double {
    let variance = relativeRangeDeviation * relativeRangeDeviation
    return (Double.expMinusOne(2 * variance) - 2 * Double.expMinusOne(variance / 2)).squareRoot()
  }

  /// A Boolean value that is true if every number is plausible: lengths up to ``Circle/longest``, a
  /// range above 0, and a positive exponent and sigma.
  var isValid: Bool {
    let slant = slantRange
    return slant >= 1 / Circle.longest && slant <= Circle.longest
      && abs(anchor.x) <= Circle.longest && abs(anchor.y) <= Circle.longest
      && abs(heightDifference) <= Circle.longest
      && exponent > 0 && relativeRangeDeviation > 0 && relativeRangeDeviation.isFinite
  }
}

extension Circle {
  /// Creates the circle on which one observation puts the target, in the target's plane.
  public init(_ observation: Observation) {
    self.init(centre: observation.anchor, radius: observation.range)
  }
}

extension Collection<Observation> {
  /// Returns the observations with the smallest range, nearest first; ties keep their order.
  ///
  /// In space it uses the slant range. Linear in the number of observations for a small limit.
  func nearest(
    _ limit: Int, in dimensions: Surroundings.Dimensions = .plane
  ) -> [Observation] {
    var nearest: [(range: Double, observation: Observation)] = []
    nearest.reserveCapacity(Swift.min(limit, count) + 1)
    for observation in self {
      let range = dimensions == .space ? observation.slantRange : observation.range
      let place = nearest.firstIndex { range < $0.range } ?? nearest.endIndex
      guard place < limit else { continue }
      nearest.insert((range, observation), at: place)
      if nearest.count > limit { nearest.removeLast() }
    }
    return nearest.map(\.observation)
  }

  /// Returns the three nearest of valid observations, or throws the reason if there are fewer.
  func threeNearest(
    in dimensions: Surroundings.Dimensions = .plane
  ) throws(Refusal) -> [Observation] {
    guard allSatisfy(\.isValid) else { throw .invalidRange }
    guard count >= 3 else { throw .tooFewAnchors }
    return nearest(3, in: dimensions)
  }
}
