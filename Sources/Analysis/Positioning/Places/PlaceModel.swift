import RealModule

/// The model of a beacon's levels at surveyed places, given the beacon's own place.
///
/// A mean level of k packets, received at x from a beacon at z, is
///
///     y = P - 10 n log10 √(|x - z|² + h²) + a · (x - z) / √(|x - z|² + h²) + f(x) + e
///
/// The measured power P, the exponent n and the antenna pattern a of first order are normal and
/// differ between beacons. f and e are the field and the noise of ``variation``. The square root is
/// the distance in space if h is the difference of the heights.
package struct PlaceModel: Equatable, Sendable {
  /// The mean of P in dBm, and its standard deviation in dB.
  package var power: (mean: Double, deviation: Double)
  /// The mean of n, and its standard deviation.
  package var exponent: (mean: Double, deviation: Double)
  /// The standard deviation of both components of a, in dB.
  package var pattern: Double
  /// The height h, in metres.
  package var height: Double
  /// The variation about the curve; ``LevelVariation/anchorOffset`` is 0, because P contains it.
  package var variation: LevelVariation

  package static func == (a: PlaceModel, b: PlaceModel) -> Bool { a.logarithms == b.logarithms }

  /// The belief before any survey: indoor measurements of beacons and phones.
  ///
  /// A packet's own noise is that of ``LevelVariation/belief``. A device that is carried otherwise on
  /// another walk adds 1 dB.
  package static let belief = PlaceModel(
    power: (-60, 4), exponent: (2, 0.35), pattern: 1.5, height: 1.5,
    variation: LevelVariation(
      spread: 3, length: 3, anchorOffset: 0, recordingOffset: 1, placeNoise: 2, packetNoise: 3.5))

  /// The numbers that ``PlaceEvidence`` searches: the means of P and n, and natural logarithms.
  var logarithms: [Double] {
    [power.mean, exponent.mean]
      + [
        power.deviation, exponent.deviation, variation.spread, variation.length,
        variation.placeNoise, height, pattern,
      ].map { Double.log($0) }
  }

  /// The standard deviations of ``logarithms`` about those of the belief.
  static let widths = [12, 0.6, 0.5, 0.4, 0.6, 0.6, 0.6, 0.5, 0.6]

  /// Returns the model whose ``logarithms`` differ from those of this one by numbers of ``widths``.
  func with(scores: [Double]) -> PlaceModel {
    var model = self
    let logarithms = logarithms.indices.map {
      self.logarithms[$0] + scores[$0] * Self.widths[$0]
    }
    let scale = logarithms.map { Double.exp($0) }
    model.power = (logarithms[0], scale[2])
    model.exponent = (logarithms[1], scale[3])
    (model.variation.spread, model.variation.length) = (scale[4], scale[5])
    (model.variation.placeNoise, model.height, model.pattern) = (scale[6], scale[7], scale[8])
    return model
  }

  /// Returns the model of a beacon on another floor, where it appears weaker through the slab.
  ///
  /// - Parameters:
  ///   - power: The posterior mean of P on its own floor in dBm.
  ///   - deviation: The posterior standard deviation of it, in dB.
  func throughSlab(power: Double, deviation: Double) -> PlaceModel {
    var model = self
    model.power = (
      power - Self.slab.mean,
      (deviation * deviation + Self.slab.deviation * Self.slab.deviation).squareRoot()
    )
    return model
  }

  /// The loss by a slab in a shopping mall with 405 beacons, in dB.
  private static let slab = (mean: 12.0, deviation: 11.0)
}
