import NumericalMethods
import RealModule

/// The beliefs of eight particles about the shadowing of one link, given the offset that all links
/// share.
///
/// The error of a link's level is far × a + near × b + o + the packet's own error: a and b are unit
/// normal with correlation lengths ``Shadowing/farDistance`` and ``MeasurementModel/nearDistance``
/// along the path, and o is the offset of all links. Given o the links are independent, and a and b are
/// normal with means linear in o. So o is a state of the particle, and each link keeps its own
/// scalar filter (Rao–Blackwell).
struct LinkBeliefs {
  /// The mean of a at o = 0 and its slope, and those of b.
  private var farMean = SIMD8<Float>.zero
  private var farSlope = SIMD8<Float>.zero
  private var nearMean = SIMD8<Float>.zero
  private var nearSlope = SIMD8<Float>.zero
  /// The variances of a and b, and their covariance.
  private var farVariance = SIMD8<Float>(repeating: 1)
  private var covariance = SIMD8<Float>.zero
  private var nearVariance = SIMD8<Float>(repeating: 1)

  /// Creates the beliefs about a link that was never received.
  init() {}

  /// Lets the components decorrelate along the path since the last level.
  @inline(__always)
  mutating func advance(by decay: ShadowingDecay) {
    let (far, near) = (decay.far, decay.near)
    farMean *= far
    farSlope *= far
    nearMean *= near
    nearSlope *= near
    farVariance = 1 - far * far * (1 - farVariance)
    covariance *= far * near
    nearVariance = 1 - near * near * (1 - nearVariance)
  }

  /// Returns the expected error of a level.
  ///
  /// - Parameters:
  ///   - far, near: The standard deviations of the two components, in dB.
  ///   - packet: The variance of the packets' own error, in dB².
  @inline(__always)
  func expectation(far: SIMD8<Float>, near: Float, packet: Float) -> Expectation {
    let crossFar = far * farVariance + near * covariance
    let crossNear = far * covariance + near * nearVariance
    return Expectation(
      mean: far * farMean + near * nearMean, slope: 1 + far * farSlope + near * nearSlope,
      variance: far * crossFar + near * crossNear + packet, crossFar: crossFar,
      crossNear: crossNear)
  }

  /// The error of a level given the offset o: normal with mean + slope × o.
  struct Expectation {
    var mean: SIMD8<Float>
    var slope: SIMD8<Float>
    var variance: SIMD8<Float>
    /// The covariances of the two components with the level.
    var crossFar: SIMD8<Float>
    var crossNear: SIMD8<Float>
  }

  /// Updates the beliefs with a level.
  ///
  /// - Parameters:
  ///   - error: The level less the expected mean, in dB, at o = 0.
  ///   - share: 1 in the particles to update, 0 in others.
  @inline(__always)
  mutating func learn(_ error: SIMD8<Float>, _ expected: Expectation, share: SIMD8<Float>) {
    let gain = share / expected.variance
    let (far, near) = (expected.crossFar * gain, expected.crossNear * gain)
    farMean += far * error
    farSlope -= far * expected.slope
    nearMean += near * error
    nearSlope -= near * expected.slope
    farVariance -= far * expected.crossFar
    covariance -= far * expected.crossNear
    nearVariance -= near * expected.crossNear
  }

  /// Copies the beliefs of some particles.
  init(_ sources: SIMD8<Int32>, of all: [LinkBeliefs]) {
    farMean = SIMD8(sources) { all[$0].farMean[$1] }
    farSlope = SIMD8(sources) { all[$0].farSlope[$1] }
    nearMean = SIMD8(sources) { all[$0].nearMean[$1] }
    nearSlope = SIMD8(sources) { all[$0].nearSlope[$1] }
    farVariance = SIMD8(sources) { all[$0].farVariance[$1] }
    covariance = SIMD8(sources) { all[$0].covariance[$1] }
    nearVariance = SIMD8(sources) { all[$0].nearVariance[$1] }
  }
}

/// The beliefs of eight particles about the offset of all links, in dB: normal.
struct OffsetBeliefs {
  var mean = SIMD8<Float>.zero
  var variance: SIMD8<Float>

  /// Returns the error of a level with the offset marginalised: normal.
  @inline(__always)
  func expectation(_ link: LinkBeliefs.Expectation) -> (mean: SIMD8<Float>, variance: SIMD8<Float>)
  {
    (link.mean + link.slope * mean, link.variance + link.slope * link.slope * variance)
  }

  /// Updates the beliefs with a level.
  ///
  /// - Parameters:
  ///   - error: The level less the mean of ``expectation(_:)``, in dB.
  ///   - share: 1 in the particles to update, 0 in others.
  @inline(__always)
  mutating func learn(
    _ error: SIMD8<Float>, _ link: LinkBeliefs.Expectation, share: SIMD8<Float>
  ) {
    let cross = variance * link.slope
    let gain = share * cross / (link.variance + cross * link.slope)
    mean += gain * error
    variance -= gain * cross
  }
}
