import Geometry
import RealModule

/// How levels vary about their path-loss curves, in parts that are learned from a survey.
///
/// A mean level of k packets, heard at place p in recording t, differs from its anchor's curve by b
/// + f(p) + g_t + e: `anchorOffset` is the standard deviation of b, which an anchor has everywhere;
/// f is a Gaussian process with the Matérn 3/2 covariance s² (1 + √3 d/ℓ) exp(-√3 d/ℓ) of `spread`
/// s and `length` ℓ, what two places d apart have in common; `recordingOffset` that of g, which an
/// anchor has throughout one recording (how the device was held); and e has the variance
/// `placeNoise`² + `packetNoise`² / k.
///
/// Source: Rasmussen and Williams, "Gaussian processes for machine learning", 2006, sections 2.2,
/// 4.2.
package struct LevelVariation: Equatable, Sendable {
  /// In dB.
  package var spread: Double
  /// In metres.
  package var length: Double
  /// In dB.
  package var anchorOffset: Double
  /// In dB.
  package var recordingOffset: Double
  /// In dB: what changes over less than the distance between two places of a survey.
  package var placeNoise: Double
  /// In dB, of one packet.
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

  /// What is believed before any survey; see ``logBeliefWidths``.
  ///
  /// Shadowing of 4 dB that changes over 2 m is what indoor measurements agree on to a factor of
  /// two or three; a packet's own 3.5 dB is Rician fading (K = 4) over the advertising channels.
  static let belief = LevelVariation(
    spread: 4, length: 2, anchorOffset: 2, recordingOffset: 1, placeNoise: 2, packetNoise: 3.5)

  /// Standard deviations of the natural logarithms of the parts about those of ``belief``.
  ///
  /// A factor of e either way is next to nothing against some dozens of places; it keeps a part
  /// that a survey shows nothing of, as recordings of one place each do of their offset, where it
  /// was.
  static let logBeliefWidths = [1, 1, 1, 1, 1, 0.5]

  /// The natural logarithms, in the order of the initialiser.
  var logarithms: [Double] {
    [spread, length, anchorOffset, recordingOffset, placeNoise, packetNoise].map { Double.log($0) }
  }

  init(logarithms: [Double]) {
    let values = logarithms.map { Double.exp($0) }
    self.init(
      spread: values[0], length: values[1], anchorOffset: values[2], recordingOffset: values[3],
      placeNoise: values[4], packetNoise: values[5])
  }

  /// What two places have in common of f, in dB².
  func covariance(_ a: Point, _ b: Point) -> Double {
    let ratio = 3.0.squareRoot() * a.distance(to: b) / length
    return spread * spread * (1 + ratio) * Double.exp(-ratio)
  }

  /// The variance in dB² of what packets of one place in a new recording share besides f and b.
  var noiseOfPlaces: Double { recordingOffset * recordingOffset + placeNoise * placeNoise }

  /// The variance of e, in dB².
  func noise(packets: Double) -> Double {
    placeNoise * placeNoise + packetNoise * packetNoise / packets
  }
}
