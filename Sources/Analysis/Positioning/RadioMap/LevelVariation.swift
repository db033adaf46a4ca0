import Geometry
import RealModule

/// The variation of levels about their path-loss curves, in components learned from a survey.
///
/// A mean level of k packets, received at place p in recording t, differs from its anchor's curve
/// by b + f(p) + g_t + e. `anchorOffset` is the standard deviation of b, which is constant for an
/// anchor. f is a Gaussian process with the covariance s² ρ(d / ℓ) between two places d apart, with
/// `spread` s, `length` ℓ and the correlation ρ of the `kernel`. `recordingOffset` is the standard
/// deviation of g, which is constant for an anchor in one recording (how the device was held). e
/// has the variance `placeNoise`² + `packetNoise`² / k. A level that was averaged over a stretch of
/// a walk contains the mean of f over it, which varies less than f.
///
/// Sources: Rasmussen and Williams, "Gaussian processes for machine learning", 2006, sections 2.2,
/// 4.2; Gudmundson, "Correlation model for shadow fading in mobile radio systems", Electronics
/// Letters 27 (1991), for the exponential kernel; Chilès and Delfiner, "Geostatistics", 2012,
/// section 2.4, for means over a stretch.
package struct LevelVariation: Equatable, Sendable {
  /// The correlation of f at two places, by their distance d and the length ℓ.
  package enum Kernel: String, CaseIterable, Sendable {
    /// (1 + √3 d/ℓ) exp(-√3 d/ℓ): smooth shadowing.
    case matern = "matern-3/2"
    /// exp(-d/ℓ): shadowing that also changes over short distances.
    case exponential

    /// Returns the correlation at a distance in lengths, and its derivative with respect to the
    /// logarithm of the length.
    func correlation(_ ratio: Double) -> (value: Double, slope: Double) {
      switch self {
      case .matern:
        let scaled = 3.0.squareRoot() * ratio
        let fall = Double.exp(-scaled)
        return ((1 + scaled) * fall, scaled * scaled * fall)
      case .exponential:
        let fall = Double.exp(-ratio)
        return (fall, ratio * fall)
      }
    }
  }

  package var kernel = Kernel.matern
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
  /// The part of the error that lasts for a step, from single readings; `nil` if the survey has too
  /// few.
  package var near: NearVariation?

  package init(
    kernel: Kernel = .matern, spread: Double, length: Double, anchorOffset: Double,
    recordingOffset: Double,
    placeNoise: Double, packetNoise: Double
  ) {
    self.kernel = kernel
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

  init(_ kernel: Kernel = .matern, logarithms: [Double]) {
    let values = logarithms.map { Double.exp($0) }
    self.init(
      kernel: kernel, spread: values[0], length: values[1], anchorOffset: values[2],
      recordingOffset: values[3],
      placeNoise: values[4], packetNoise: values[5])
  }

  /// Returns the covariance of f at two places, in dB².
  func covariance(_ a: Point, _ b: Point) -> Double {
    spread * spread * kernel.correlation(a.distance(to: b) / length).value
  }

  /// Returns the covariance of f at a place with its mean over a stretch, in dB².
  func covariance(_ place: Point, _ stretch: Stretch) -> Double {
    stretch.mean { covariance(place, $0) }
  }

  /// Returns the covariance of the means of f over two stretches in dB², with its derivative with
  /// respect to the logarithm of ``length``.
  func covariance(_ a: Stretch, _ b: Stretch) -> (value: Double, slope: Double) {
    var sum = (value: 0.0, slope: 0.0)
    a.forEachNode { first, share in
      b.forEachNode { second, other in
        let correlation = kernel.correlation(first.distance(to: second) / length)
        sum.value += share * other * correlation.value
        sum.slope += share * other * correlation.slope
      }
    }
    return (spread * spread * sum.value, spread * spread * sum.slope)
  }

  /// The variance in dB² that packets of one place in a new recording share besides f and b.
  var noiseOfPlaces: Double { recordingOffset * recordingOffset + placeNoise * placeNoise }

  /// Returns the variance of e, in dB².
  func noise(packets: Double) -> Double {
    placeNoise * placeNoise + packetNoise * packetNoise / packets
  }
}
