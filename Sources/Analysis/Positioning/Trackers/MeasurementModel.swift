import Geometry
import NumericalMethods
import RealModule

/// The level of each anchor at any place, with or without a radio map.
struct MeasurementModel {
  let anchors: [Anchor]
  /// What all curves are off by alike; nil with a map, which shows it.
  let curveError: CurveError?
  private let map: RadioMap?
  private let parts: [Parts]

  /// The variances in dB² of what a level is off by: what lasts for some way, what lasts for a step
  /// and what is each packet's own.
  private struct Parts {
    /// At an ordinary place.
    var far: Double
    var near: Double
    var packet: Double
  }

  /// - Parameters:
  ///   - map: whose anchors these are; nil = the path-loss curves alone.
  ///   - curveError: what the curves are off by alike.
  init(_ anchors: [Anchor], map: RadioMap?, curveError: CurveError? = nil) {
    self.anchors = anchors
    self.curveError = map == nil ? curveError : nil
    self.map = map
    parts = anchors.enumerated().map { number, anchor in
      guard let map else {
        let (far, near, packet) = Shadowing.fadingParts(of: anchor)
        return Parts(far: far, near: near, packet: packet)
      }
      let learned = map.variation
      let place = learned.placeNoise * learned.placeNoise
      let packet = learned.packetNoise * learned.packetNoise
      let far = map.typicalVariance(anchor: number) - place
      // A survey takes packets of one stay for independent, and so some of the place's noise for
      // theirs; successive packets show what is their own.
      guard let own = anchor.packetSigma.map({ $0 * $0 }) else {
        return Parts(far: far, near: place, packet: packet)
      }
      return Parts(far: far, near: max(place + packet - own, Shadowing.leastNear), packet: own)
    }
  }

  /// Of devices of other makes than those of the calibration, in dB.
  private static let usualOffset = 3.0

  /// The variance in dB² of an error that all levels have in common.
  ///
  /// - Parameter deviation: that was asked for; nil = as the map has it, and ``usualOffset``
  ///   without one. What the calibration does not know comes on top.
  func offsetVariance(_ deviation: Double?) -> Double {
    let usual = map?.commonVariance ?? Self.usualOffset * Self.usualOffset
    return (deviation.map { $0 * $0 } ?? usual) + (curveError?.remainder ?? 0)
  }

  /// By how much the variance of a position is larger than independent errors would have it.
  var dispersion: Double { map?.dispersion ?? 1 }

  /// The expected level in dBm, and the standard deviation in dB of its shadowing.
  func level(_ anchor: Int, at place: Point, height: Double) -> (level: Double, deviation: Double) {
    let level = anchors[anchor].expectedLevel(at: place, height: height)
    guard let map else {
      return (level, Shadowing.parts(of: anchors[anchor]).shadowing.squareRoot())
    }
    let (offset, deviation) = map.interpolatedShadowing(anchor: anchor, at: place)
    return (level + offset, deviation)
  }

  /// The variance in dB² of an anchor's shadowing at an ordinary place.
  func typicalVariance(_ anchor: Int) -> Double {
    map?.typicalVariance(anchor: anchor) ?? Shadowing.parts(of: anchors[anchor]).shadowing
  }

  /// The variance in dB² of the mean of some packets about their place's level.
  func packetVariance(_ anchor: Int, packets: Double) -> Double {
    (map.map { $0.variation.packetNoise * $0.variation.packetNoise }
      ?? Shadowing.parts(of: anchors[anchor]).packet)
      / packets
  }

  /// What particles need to know of a level of some packets.
  ///
  /// - Parameter origin: of their places.
  func field(of anchor: Int, packets: Double, from origin: Point) -> LevelField {
    let parts = parts[anchor]
    let variance = parts.far + parts.near + parts.packet / packets
    return LevelField(
      anchor: anchors[anchor], origin: origin, lattice: map?.lattice(of: anchor),
      placeNoise: Float(map.map { $0.variation.placeNoise * $0.variation.placeNoise } ?? 0),
      far: Float(parts.far), near: Float(parts.near.squareRoot()),
      packet: Float(parts.packet / packets),
      leastLogLikelihood: RobustLevel.leastLogLikelihood(typicalVariance: variance))
  }
}

/// The level of one anchor at places of particles, and the parts of what it is off by.
struct LevelField {
  /// The anchor's coordinates from the origin of places.
  private let x: Float
  private let y: Float
  private let height: Float
  /// The level at 1 m, and the change in dB a unit of the squared distance's logarithm.
  private let measuredPower: Float
  private let slope: Float
  /// The same for an exponent of 1.
  private static let slopeOfExponent = Float(-5 / Double.log(10))
  private let origin: Point
  private let lattice: ShadowingLattice?
  /// The variance in dB² that the lattice has in it and that does not last.
  private let placeNoise: Float
  /// The variance in dB² of what lasts, where there is no lattice.
  private let far: Float
  /// The standard deviation in dB of what lasts for a step.
  let near: Float
  /// The variance in dB² of the packets' own error.
  let packet: Float
  let leastLogLikelihood: Float

  init(
    anchor: Anchor, origin: Point, lattice: ShadowingLattice?, placeNoise: Float, far: Float,
    near: Float, packet: Float, leastLogLikelihood: Float
  ) {
    x = Float(anchor.place.x - origin.x)
    y = Float(anchor.place.y - origin.y)
    height = Float(anchor.heightDifference)
    measuredPower = Float(anchor.measuredPower)
    slope = Self.slopeOfExponent * Float(anchor.exponent)
    self.origin = origin
    self.lattice = lattice
    self.placeNoise = placeNoise
    self.far = far
    self.near = near
    self.packet = packet
    self.leastLogLikelihood = leastLogLikelihood
  }

  /// The expected levels in dBm, and the standard deviations in dB of what lasts.
  ///
  /// - Parameter exponentError: what is to be added to the exponent.
  @inline(__always)
  func level(
    at place: PlaceBlock, exponentError: SIMD8<Float>
  ) -> (level: SIMD8<Float>, far: SIMD8<Float>) {
    let (dx, dy, dz) = (place.x - x, place.y - y, place.height - height)
    // Nearer than 1 cm the curve means nothing, and its logarithm has a pole.
    let squared = (dx * dx + dy * dy + dz * dz).most(1e-4)
    let level = measuredPower + (slope + Self.slopeOfExponent * exponentError) * squared.logarithm
    guard let lattice else { return (level, SIMD8(repeating: far.squareRoot())) }
    let (offset, deviation) = lattice.shadowing(place.x, place.y, from: origin)
    let variance = deviation * deviation - placeNoise
    return (level + offset, variance.most(0).root)
  }
}
