import Geometry
import RealModule

/// The variation of levels about their path-loss curves, in components learned from a survey.
///
/// A mean level of k packets, received at place p in recording t, differs from its anchor's curve
/// by b + f(p) + g_t + e. `anchorOffset` is the standard deviation of b, which is constant for an
/// anchor. f is a Gaussian process with the Matérn 3/2 covariance s² (1 + √3 d/ℓ) exp(-√3 d/ℓ)
/// between two places d apart, with `spread` s and `length` ℓ. `recordingOffset` is the standard
/// deviation of g, which is constant for an anchor in one recording (how the device was held). e
/// has the variance `placeNoise`² + `packetNoise`² / k.
///
/// Source: Rasmussen and Williams, "Gaussian processes for machine learning", 2006, sections 2.2,
/// 4.2.
package struct LevelVariation: Equatable, Sendable {
  /// The standard deviation s of f, in dB.
  package var spread: Double
  /// The correlation length ℓ of f, in metres.
  package var length: Double
  /// The standard deviation of b, in dB.
  package var anchorOffset: Double
  /// The standard deviation of g, in dB.
  package var recordingOffset: Double
  /// The standard deviation of changes over less than the distance between two surveyed places, in
  /// dB.
  package var placeNoise: Double
  /// The standard deviation of one packet, in dB.
  package var packetNoise: Double

  package init(
    spread: Double, length: Double, anchorOffset: Double, recordingOffset: Double,
    placeNoise: Double, packetNoise: Double
  ) {
    self.spread = spread
    self.length = length
    self.anchorOffset = anchorOffset
    self.recordingOffset = recordingOffset
    self.placeNoise = placeNoise
    self.packetNoise = packetNoise
  }

  /// The prior before any survey; see ``logBeliefWidths``.
  ///
  /// Indoor measurements agree on shadowing of 4 dB that changes over 2 m to a factor of two or
  /// three; a packet's own 3.5 dB is Rician fading (K = 4) over the advertising channels.
  static let belief = LevelVariation(
    spread: 4, length: 2, anchorOffset: 2, recordingOffset: 1, placeNoise: 2, packetNoise: 3.5)

  /// The prior standard deviations of the natural logarithms of the components about those of
  /// ``belief``.
  ///
  /// A factor of e either way is weak against some dozens of places, and keeps a component about
  /// which a survey carries no information at its prior, such as the recording offset if each
  /// recording has only one place.
  static let logBeliefWidths = [1, 1, 1, 1, 1, 0.5]

  /// The natural logarithms of the components, in the order of the initialiser.
  var logarithms: [Double] {
    [spread, length, anchorOffset, recordingOffset, placeNoise, packetNoise].map { Double.log($0) }
  }

  init(logarithms: [Double]) {
    let values = logarithms.map { Double.exp($0) }
    self.init(
      spread: values[0], length: values[1], anchorOffset: values[2], recordingOffset: values[3],
      placeNoise: values[4], packetNoise: values[5])
  }

  /// Returns the covariance of f at two places, in dB².
  func covariance(_ a: Point, _ b: Point) -> Double {
    let ratio = 3.0.squareRoot() * a.distance(to: b) / length
    return spread * spread * (1 + ratio) * Double.exp(-ratio)
  }

  /// The variance in dB² that packets of one place in a new recording share besides f and b.
  var noiseOfPlaces: Double { recordingOffset * recordingOffset + placeNoise * placeNoise }

  /// Returns the variance of e, in dB².
  func noise(packets: Double) -> Double {
    placeNoise * placeNoise + packetNoise * packetNoise / packets
  }
}
