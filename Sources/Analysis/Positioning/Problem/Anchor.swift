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
  /// Path-loss exponent.
  public var exponent: Double
  /// Standard deviation of the level about the path-loss curve, in dB.
  public var sigma: Double
  /// How well it is received; nil where that is not known, and silence tells nothing.
  public var reception: Reception?

  public init(
    place: Point, heightDifference: Double = 0, measuredPower: Double, exponent: Double,
    sigma: Double,
    reception: Reception? = nil
  ) {
    self.place = place
    self.heightDifference = heightDifference
    self.measuredPower = measuredPower
    self.exponent = exponent
    self.sigma = sigma
    self.reception = reception
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
