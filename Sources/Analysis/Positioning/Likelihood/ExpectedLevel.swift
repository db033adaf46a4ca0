import Geometry
import RealModule

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
