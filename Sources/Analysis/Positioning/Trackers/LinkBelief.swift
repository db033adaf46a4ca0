import RealModule

/// What a particle believes of the shadowing of one link, given the offset that all links share.
///
/// The level of a link is off by far × a + near × b + o + the packet's own error: a and b are unit
/// normal and last for ``Shadowing/farDistance`` and ``Shadowing/nearDistance`` along the way, o is
/// the offset of all links. Given o the links are independent, and a and b are normal with means
/// that are straight lines of o: so o is a state of the particle, and each link keeps a scalar
/// filter of its own (Rao–Blackwell).
struct LinkBelief {
  /// The mean of a at o = 0 and its slope, those of b, then the variances aa, ab, bb, and the way
  /// in metres at which they were so.
  private var values = SIMD8<Float>(0, 0, 0, 0, 1, 0, 1, 0)

  /// The way of a particle until now, in metres.
  init(way: Float) { values[7] = way }

  /// Lets the parts fade along the way since the last level.
  mutating func advance(to way: Float) {
    let step = way - values[7]
    guard step > 0 else { return }
    let far = Float.exp(-step / Float(Shadowing.farDistance))
    let near = Float.exp(-step / Float(Shadowing.nearDistance))
    values *= SIMD8(far, far, near, near, far * far, far * near, near * near, 0)
    values += SIMD8(0, 0, 0, 0, 1 - far * far, 0, 1 - near * near, way)
  }

  /// What a level is expected to be off by.
  ///
  /// - Parameters:
  ///   - far, near: standard deviations of the two parts, in dB.
  ///   - packet: the variance of the packets' own error, in dB².
  func expectation(far: Float, near: Float, packet: Float) -> Expectation {
    let crossFar = far * values[4] + near * values[5]
    let crossNear = far * values[5] + near * values[6]
    return Expectation(
      mean: far * values[0] + near * values[2], slope: 1 + far * values[1] + near * values[3],
      variance: far * crossFar + near * crossNear + packet, crossFar: crossFar,
      crossNear: crossNear)
  }

  /// The error of a level given the offset o: normal about mean + slope × o.
  struct Expectation {
    var mean: Float
    var slope: Float
    var variance: Float
    /// The covariances of the two parts with the level.
    var crossFar: Float
    var crossNear: Float
  }

  /// Learns from a level.
  ///
  /// - Parameter error: of the level less the expected mean, in dB, at o = 0.
  mutating func learn(_ error: Float, _ expected: Expectation) {
    let (far, near) = (
      expected.crossFar / expected.variance, expected.crossNear / expected.variance
    )
    values += SIMD8(
      far * error, -far * expected.slope, near * error, -near * expected.slope,
      -far * expected.crossFar, -far * expected.crossNear, -near * expected.crossNear, 0)
  }
}

/// What a particle believes of the offset of all links, in dB: normal.
struct OffsetBelief {
  var mean: Float = 0
  var variance: Float

  /// The error of a level, whatever the offset is: normal.
  func expectation(_ link: LinkBelief.Expectation) -> (mean: Float, variance: Float) {
    (link.mean + link.slope * mean, link.variance + link.slope * link.slope * variance)
  }

  /// Learns from a level.
  ///
  /// - Parameter error: of the level less what ``expectation(_:)`` says, in dB.
  mutating func learn(_ error: Float, _ link: LinkBelief.Expectation) {
    let cross = variance * link.slope
    let gain = cross / (link.variance + cross * link.slope)
    mean += gain * error
    variance -= gain * cross
  }
}
