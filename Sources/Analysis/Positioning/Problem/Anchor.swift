public import Geometry
import RealModule

/// A node at a known place, and what its link with the target is known to do.
public struct Anchor: Equatable, Sendable {
  /// The place in the plane, in metres.
  public var place: Point
  /// The height above the reference level, in metres, negative below it; 0 if heights are not
  /// known.
  ///
  /// The reference level is the target's where only its place in the plane is asked, and the zero
  /// of heights where its height is asked too.
  public var heightDifference: Double
  /// RSSI at 1 m, in dBm.
  public var measuredPower: Double
  /// The path-loss exponent n in P - 10 n log10(d).
  public var exponent: Double
  /// Standard deviation of one packet's level about the path-loss curve, in dB.
  public var sigma: Double
  /// Standard deviation of a packet's own error, which packets that follow each other do not
  /// share, in dB, at most `sigma`; nil where that is not known, and a mean of packets counts as
  /// one.
  public var packetSigma: Double?
  /// The reception of the anchor; nil if it is not known, so that silence shows nothing.
  public var reception: Reception?

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

  /// Returns the standard deviation of the mean level of some packets heard at one place, in dB.
  ///
  /// Its square is σ² - p² + p² / k: the error of the place and the moment, which all k packets
  /// share, and the packets' own, of standard deviation p.
  public func sigma(ofMeanOf packets: Int) -> Double {
    guard let packetSigma, packets > 1 else { return sigma }
    let own = packetSigma * packetSigma
    return (sigma * sigma - own + own / Double(packets)).squareRoot()
  }

  /// The share of the variance of one packet's level that all packets of a place have in common;
  /// nil where that is not known.
  var commonShare: Double? {
    packetSigma.map { 1 - $0 * $0 / (sigma * sigma) }
  }

  /// The rate and the limit of reception of an anchor, learned from recordings with or without
  /// truth.
  public struct Reception: Equatable, Sendable {
    /// Sightings a second where it is received well.
    public var rate: Double
    /// The level in dBm below which a packet is lost: half are at exactly this level.
    public var sensitivity: Double

    /// Creates a reception from a rate per second and a sensitivity in dBm.
    public init(rate: Double, sensitivity: Double) {
      self.rate = rate
      self.sensitivity = sensitivity
    }
  }
}

extension Anchor {
  /// The level of the path-loss curve at a place, in dBm: P - 10 n log10 d.
  ///
  /// - Parameter height: of the place above the reference level, in metres.
  func expectedLevel(at place: Point, height: Double = 0) -> Double {
    let (dx, dy, dz) = (place.x - self.place.x, place.y - self.place.y, height - heightDifference)
    // Nearer than 1 cm the curve means nothing, and its logarithm has a pole.
    let squared = max(dx * dx + dy * dy + dz * dz, 1e-4)
    return measuredPower - 5 * exponent * Double.log10(squared)
  }
}

extension Anchor.Reception {
  /// The logarithm of the probability that nothing is heard for a time.
  ///
  /// Packets that could be received come at the rate as a Poisson process; each is kept where its
  /// level, normal about the expected one, is above the sensitivity: P = exp(-rate t Φ((µ - s)/σ)).
  ///
  /// - Parameters:
  ///   - level: expected, in dBm.
  ///   - sigma: standard deviation of a packet's level about it, in dB.
  ///   - seconds: how long nothing was heard.
  func logSilence(level: Double, sigma: Double, seconds: Double) -> Double {
    let score = (level - sensitivity) / sigma
    return -rate * seconds * 0.5 * Double.erfc(-score / 2.0.squareRoot())
  }
}

/// What the path-loss curves of all anchors are off by alike: the error of the calibration that
/// they share, normal with a mean of 0.
package struct CurveError: Equatable, Sendable {
  /// The variance of the measured power in dB², of the exponent, and their covariance in dB.
  package var powerVariance: Double
  package var exponentVariance: Double
  package var covariance: Double

  package init(powerVariance: Double, exponentVariance: Double, covariance: Double) {
    self.powerVariance = powerVariance
    self.exponentVariance = exponentVariance
    self.covariance = covariance
  }

  /// How much the measured power is off for each unit that the exponent is, in dB.
  var slope: Double { covariance / exponentVariance }

  /// The variance in dB² of the measured power where the exponent is known.
  var remainder: Double { max(powerVariance - covariance * slope, 0) }
}
