import RealModule

/// The probability of an event that depends on a Gaussian variable by a logistic curve, such as the
/// reception of a packet by its level: R(x) = E[1 / (1 + exp(−(x + e) / scale))], e ~ N(0, σ²).
///
/// The logistic curve is replaced by a mixture of eight Gaussian ones, each of which has a mean in
/// closed form: the error is below 3e-9 everywhere, and below 1e-6 of a probability above 1e-4. At
/// a scale of 0 it is the exact Φ(x / σ). Source: Monahan and Stefanski, "Normal scale mixture
/// approximations to F*(z) and computation of the logistic-normal integral", in Balakrishnan,
/// "Handbook of the logistic distribution", 1992, table for k = 8. O(1).
package struct LogisticNormal: Equatable, Sendable {
  /// A probability with its derivatives.
  package struct Value: Equatable, Sendable {
    package var probability = 0.0
    /// 1 − `probability`, with the digits of its own.
    package var complement = 0.0
    /// The first derivative with respect to x.
    package var slope = 0.0
    /// The second derivative with respect to x, which is twice that with respect to σ².
    package var curvature = 0.0
    /// The derivative with respect to the logarithm of the scale.
    package var byLogScale = 0.0

    /// Creates a probability of 1 that nothing changes.
    package static var certain: Value {
      var value = Value()
      value.probability = 1
      return value
    }
  }

  private let shares: [Double]
  /// The standard deviations of the mixture.
  private let deviations: [Double]
  /// The part of each variance that is due to the scale.
  private let scaleVariances: [Double]

  private static let mixture: [(share: Double, steepness: Double)] = [
    (0.003_246_343_272_134, 1.365_340_806_296_348), (0.051_517_477_033_972, 1.059_523_971_016_916),
    (0.195_077_912_673_858, 0.830_791_313_765_644), (0.315_569_823_632_818, 0.650_732_166_639_391),
    (0.274_149_576_158_423, 0.508_135_425_366_489), (0.131_076_880_695_470, 0.396_313_345_166_341),
    (0.027_912_418_727_972, 0.308_904_252_267_995), (0.001_449_567_805_354, 0.238_212_616_409_306),
  ]

  /// - Parameters:
  ///   - variance: The variance σ² of the Gaussian variable, above 0 if the scale is 0.
  ///   - scale: The scale of the logistic curve, at least 0.
  package init(variance: Double, scale: Double) {
    let mixture = scale > 0 ? Self.mixture : [(share: 1, steepness: 1)]
    shares = mixture.map(\.share)
    scaleVariances = mixture.map { scale * scale / ($0.steepness * $0.steepness) }
    deviations = scaleVariances.map { (variance + $0).squareRoot() }
  }

  /// Returns the probability at a mean x.
  package func value(at x: Double) -> Value {
    var value = Value()
    var tail = 0.0
    for index in shares.indices {
      let deviation = deviations[index]
      let v = x / deviation
      let density = shares[index] * 0.398_942_280_401_432_7 * Double.exp(-0.5 * v * v) / deviation
      tail += shares[index] * 0.5 * Double.erfc(abs(v) * 0.707_106_781_186_547_5)
      value.slope += density
      value.curvature -= density * v / deviation
      value.byLogScale -= density * v * scaleVariances[index] / deviation
    }
    (value.probability, value.complement) = x < 0 ? (tail, 1 - tail) : (1 - tail, tail)
    return value
  }

  /// Returns the scale of the logistic curve that is nearly R for a variable with a variance.
  ///
  /// π / 8 makes it correct in the middle; the error is below 0.02. Source: MacKay, "The evidence
  /// framework applied to classification networks", 1992.
  package static func nearScale(of scale: Double, variance: Double) -> Double {
    (scale * scale + .pi / 8 * variance).squareRoot()
  }
}
