public import Geometry

/// A node at a known place, and what its link with the target is known to do.
public struct Anchor: Equatable, Sendable {
  /// Where it is in the plane.
  public var place: Point
  /// How far above or below the reference level it is, in metres; 0 where heights are not known.
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
  /// How well it is received; nil where that is not known, and silence shows nothing.
  public var reception: Reception?

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

  /// Standard deviation of the mean level of some packets heard at one place, in dB.
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

  /// How often an anchor is heard, as learned from recordings with truth or without.
  public struct Reception: Equatable, Sendable {
    /// Sightings a second where it is received well.
    public var rate: Double
    /// The level in dBm below which a packet is lost: half are at exactly this level.
    public var sensitivity: Double

    public init(rate: Double, sensitivity: Double) {
      self.rate = rate
      self.sensitivity = sensitivity
    }
  }
}
