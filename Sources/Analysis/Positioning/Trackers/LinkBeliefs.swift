import NumericalMethods

/// The beliefs of eight particles about the shadowing of one link, given the offset that all links
/// share.
///
/// The error of a link's level is far × a + near × b + o + the packet's own error: a and b are unit
/// normal with correlation lengths ``Shadowing/farDistance`` and ``MeasurementModel/nearDistance``
/// along the path, and o is the offset of all links. Given o the links are independent, and a and b are
/// normal with means linear in o. So o is a state of the particle, and each link keeps its own
/// scalar filter (Rao–Blackwell). `cparticles_hear` updates them.
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
}
