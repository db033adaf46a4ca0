public import Geometry
import RealModule

/// What one anchor states about the target at one epoch: a signal level and what it means.
public struct Observation: Equatable, Sendable {
  /// Where the anchor is.
  public var anchor: Point
  /// How far above or below the reference level the anchor is, in metres; 0 where heights are not
  /// known. See ``Anchor/heightDifference``.
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
  /// How many packets are behind the level.
  public var packets: Int

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

  /// What was heard of an anchor: the mean of some packets, whose deviation is
  /// ``Anchor/sigma(ofMeanOf:)``.
  public init(_ anchor: Anchor, number: Int, rssi: Double, packets: Int = 1) {
    self.init(
      anchor: anchor.place, heightDifference: anchor.heightDifference, rssi: rssi,
      measuredPower: anchor.measuredPower, exponent: anchor.exponent,
      sigma: anchor.sigma(ofMeanOf: packets), number: number, packets: packets)
  }

  /// The distance at which the path-loss curve has this level, in metres: 10^((P - rssi) / 10 n).
  ///
  /// This is the median of the distance's distribution under log-normal shadowing; its mean is
  /// larger.
  public var slantRange: Double {
    Double.exp10((measuredPower - rssi) / (10 * exponent))
  }

  /// ln s², with s the slant range: no power is taken.
  var logSquaredRange: Double { (measuredPower - rssi) / (5 * exponent) * Double.log(10) }

  /// The slant range projected into the plane, in metres; 0 where the anchor is farther up than it.
  public var range: Double {
    let slant = slantRange
    return heightDifference == 0
      ? slant : max(0, slant * slant - heightDifference * heightDifference).squareRoot()
  }

  /// Standard deviation of the slant range relative to it: sigma ln10 / 10 n, to first order.
  public var relativeRangeDeviation: Double { sigma * Double.log(10) / (10 * exponent) }

  /// Root mean square error of the slant range relative to it.
  ///
  /// The range is log-normal about the true one: with δ the deviation of its logarithm
  /// (``relativeRangeDeviation``), E(d / s - 1)² = e^(2δ²) - 2 e^(δ²/2) + 1, which is δ² for small
  /// δ, and more than twice that from δ = 0.7 on.
  var relativeRangeError: Double {
    let variance = relativeRangeDeviation * relativeRangeDeviation
    return (Double.expMinusOne(2 * variance) - 2 * Double.expMinusOne(variance / 2)).squareRoot()
  }

  /// Whether every number is one that occurs: lengths that occur (see ``Circle/longest``), a range
  /// that is not 0, and a positive exponent and sigma.
  var isValid: Bool {
    let slant = slantRange
    return slant >= 1 / Circle.longest && slant <= Circle.longest
      && abs(anchor.x) <= Circle.longest && abs(anchor.y) <= Circle.longest
      && abs(heightDifference) <= Circle.longest
      && exponent > 0 && relativeRangeDeviation > 0 && relativeRangeDeviation.isFinite
  }
}

extension Circle {
  /// The circle that one observation puts the target on, in the target's plane.
  public init(_ observation: Observation) {
    self.init(centre: observation.anchor, radius: observation.range)
  }
}
