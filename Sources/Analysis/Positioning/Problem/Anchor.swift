public import Geometry
import RealModule

/// A node at a known place, with the known properties of its link to the target.
public struct Anchor: Equatable, Sendable {
  /// The place in the plane, in metres.
  public var place: Point
  /// The height above the reference level, in metres, negative below it; 0 if heights are not
  /// known.
  ///
  /// The reference level is the target's if only its place in the plane is estimated, and the zero
  /// of heights if its height is estimated too.
  public var heightDifference: Double
  /// RSSI at 1 m, in dBm.
  public var measuredPower: Double
  /// The path-loss exponent n in P - 10 n log10(d).
  public var exponent: Double
  /// Standard deviation of one packet's level about the path-loss curve, in dB.
  public var sigma: Double
  /// The standard deviation of a packet's own error, which successive packets do not share, in dB,
  /// at most `sigma`; `nil` if it is unknown, so that a mean of packets counts as one packet.
  public var packetSigma: Double?
  /// The reception of the anchor; `nil` if it is unknown, so that silence carries no information.
  public var reception: Reception?
  /// The index of its floor in the building; `nil` if it is unknown, or there is one plane.
  public var floor: Int?

  /// A Boolean value that is true if its place is known; only a map of a building can use others.
  package var isPlaced: Bool { place.x.isFinite && place.y.isFinite }

  /// An anchor of which nothing is known. It equals itself, unlike one of NaN, so that targets share
  /// their map.
  package static let unknown = Anchor(
    place: Point(x: .infinity, y: .infinity), measuredPower: -.infinity, exponent: .infinity,
    sigma: .infinity)

  /// Creates an anchor; lengths are in metres, levels in dBm, and deviations in dB.
  public init(
    place: Point, heightDifference: Double = 0, measuredPower: Double, exponent: Double,
    sigma: Double, packetSigma: Double? = nil,
    reception: Reception? = nil
  ) {
    self.place = place
    self.heightDifference = heightDifference
    self.measuredPower = measuredPower
    self.exponent = exponent
    self.sigma = sigma
    self.packetSigma = packetSigma
    self.reception = reception
  }

  /// Returns the standard deviation of the mean level of k packets received at one place, in dB.
  ///
  /// Its square is σ² - p² + p² / k: the error of the place and the moment, which all k packets
  /// share, and the packets' own error, with standard deviation p.
  public func sigma(ofMeanOf packets: Int) -> Double {
    guard let packetSigma, packets > 1 else { return sigma }
    let own = packetSigma * packetSigma
    return (sigma * sigma - own + own / Double(packets)).squareRoot()
  }

  /// The share of the variance of one packet's level that all packets of a place have in common;
  /// `nil` if it is unknown.
  var commonShare: Double? {
    packetSigma.map { 1 - $0 * $0 / (sigma * sigma) }
  }

  /// The packet rate and the sensitivity for an anchor, learned from recordings with or without
  /// ground truth.
  public struct Reception: Equatable, Sendable {
    /// The rate of received packets at strong levels, per second.
    public var rate: Double
    /// The level in dBm at which half the packets are lost.
    public var sensitivity: Double

    /// Creates a reception from a rate per second and a sensitivity in dBm.
    public init(rate: Double, sensitivity: Double) {
      self.rate = rate
      self.sensitivity = sensitivity
    }
  }
}

extension Anchor {
  /// Returns the level of the path-loss curve at a place, in dBm: P - 10 n log10 d.
  ///
  /// - Parameter height: The height of the place above the reference level, in metres.
  func expectedLevel(at place: Point, height: Double = 0) -> Double {
    let (dx, dy, dz) = (place.x - self.place.x, place.y - self.place.y, height - heightDifference)
    // Below 1 cm the curve is meaningless, and its logarithm has a pole.
    let squared = max(dx * dx + dy * dy + dz * dz, 1e-4)
    return measuredPower - 5 * exponent * Double.log10(squared)
  }
}

extension Anchor.Reception {
  /// Returns the logarithm of the probability that nothing is received for a time.
  ///
  /// Packets arrive as a Poisson process at the rate; each is received if its level, normal about
  /// the expected one, exceeds the sensitivity: P = exp(-rate t Φ((µ - s)/σ)).
  ///
  /// - Parameters:
  ///   - level: The expected level, in dBm.
  ///   - sigma: The standard deviation of a packet's level about it, in dB.
  ///   - seconds: The duration of the silence.
  func logSilence(level: Double, sigma: Double, seconds: Double) -> Double {
    let score = (level - sensitivity) / sigma
    return -rate * seconds * 0.5 * Double.erfc(-score / 2.0.squareRoot())
  }
}

/// The error of the calibration that the path-loss curves of all anchors share, normal with mean 0.
package struct CurveError: Equatable, Sendable {
  /// The variance of the measured power in dB², that of the exponent, and their covariance in dB.
  package var powerVariance: Double
  package var exponentVariance: Double
  package var covariance: Double

  package init(powerVariance: Double, exponentVariance: Double, covariance: Double) {
    self.powerVariance = powerVariance
    self.exponentVariance = exponentVariance
    self.covariance = covariance
  }

  /// The regression of the measured power's error on the exponent's, in dB.
  var slope: Double { covariance / exponentVariance }

  /// The variance in dB² of the measured power for a known exponent.
  var remainder: Double { max(powerVariance - covariance * slope, 0) }
}
