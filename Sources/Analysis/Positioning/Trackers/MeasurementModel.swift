import Geometry
import NumericalMethods
import RealModule

/// The expected level of each anchor at any place, with or without a radio map.
struct MeasurementModel {
  let anchors: [Anchor]
  /// The error that all curves share; `nil` with a map, which contains it.
  let curveError: CurveError?
  /// The correlation length of the part of the errors that lasts for a step, in metres.
  let nearDistance: Double
  /// The evidence of numbers of packets at stops.
  let receptions: ReceptionEvidence?
  private let map: RadioMap?
  private let parts: [Parts]

  /// The variances of a level's error in dB²: the part that lasts for some distance, the part that
  /// lasts for a step, and each packet's own.
  private struct Parts {
    /// The lasting part at a typical place.
    var far: Double
    var near: Double
    var packet: Double
  }

  /// - Parameters:
  ///   - map: The radio map of the anchors; `nil` for the path-loss curves alone.
  ///   - curveError: The error that the curves share.
  ///   - receptions: The evidence of numbers of packets at stops.
  init(
    _ anchors: [Anchor], map: RadioMap?, curveError: CurveError? = nil,
    receptions: ReceptionEvidence? = nil
  ) {
    self.receptions = receptions
    self.anchors = anchors
    self.curveError = map == nil ? curveError : nil
    self.map = map
    nearDistance = map?.variation.near?.length ?? Shadowing.nearDistance
    parts = anchors.enumerated().map { number, anchor in
      guard let map else {
        let (far, near, packet) = Shadowing.fadingParts(of: anchor)
        return Parts(far: far, near: near, packet: packet)
      }
      let learned = map.variation
      let place = learned.placeNoise * learned.placeNoise
      let packet = learned.packetNoise * learned.packetNoise
      let far = map.typicalVariance(anchor: number) - place
      if let near = learned.near {
        let own = anchor.packetSigma ?? learned.packetNoise
        return Parts(far: far, near: near.deviation * near.deviation, packet: own * own)
      }
      // A survey treats packets of one stay as independent and so attributes some of the place's
      // noise to them; successive packets give their own part.
      guard let own = anchor.packetSigma.map({ $0 * $0 }) else {
        return Parts(far: far, near: place, packet: packet)
      }
      return Parts(far: far, near: max(place + packet - own, Shadowing.leastNear), packet: own)
    }
  }

  /// The usual offset of devices of other makes than those of the calibration, in dB.
  private static let usualOffset = 3.0

  /// Returns the variance in dB² of the error common to all levels.
  ///
  /// - Parameter deviation: The requested standard deviation; `nil` takes that of the map, and
  ///   ``usualOffset`` without one. The uncertainty of the calibration is added.
  func offsetVariance(_ deviation: Double?) -> Double {
    let usual = map?.commonVariance ?? Self.usualOffset * Self.usualOffset
    return (deviation.map { $0 * $0 } ?? usual) + (curveError?.remainder ?? 0)
  }

  /// The variance of a position relative to that of independent errors.
  var dispersion: Double { map?.dispersion ?? 1 }

  /// Returns the expected level in dBm, with the standard deviation of its shadowing in dB.
  func level(_ anchor: Int, at place: Point, height: Double) -> (level: Double, deviation: Double) {
    let level = anchors[anchor].expectedLevel(at: place, height: height)
    guard let map else {
      return (level, Shadowing.parts(of: anchors[anchor]).shadowing.squareRoot())
    }
    let (offset, deviation) = map.interpolatedShadowing(anchor: anchor, at: place)
    return (level + offset, deviation)
  }

  /// Returns the variance in dB² of an anchor's shadowing at a typical place.
  func typicalVariance(_ anchor: Int) -> Double {
    map?.typicalVariance(anchor: anchor) ?? Shadowing.parts(of: anchors[anchor]).shadowing
  }

  /// Returns the variance in dB² of the mean of some packets about their place's level.
  func packetVariance(_ anchor: Int, packets: Double) -> Double {
    (map.map { $0.variation.packetNoise * $0.variation.packetNoise }
      ?? Shadowing.parts(of: anchors[anchor]).packet)
      / packets
  }

  /// Returns the level of some packets as a field for particles.
  ///
  /// - Parameter origin: The origin of their places.
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

/// The level of one anchor at the places of particles, with the components of its error.
struct LevelField {
  /// The anchor's coordinates relative to the origin of places.
  private let x: Float
  private let y: Float
  private let height: Float
  /// The level at 1 m, and the slope in dB per unit of the logarithm of the squared distance.
  private let measuredPower: Float
  private let slope: Float
  /// The slope for an exponent of 1.
  private static let slopeOfExponent = Float(-5 / Double.log(10))
  private let origin: Point
  private let lattice: ShadowingLattice?
  /// The part of the lattice's variance that does not last, in dB².
  private let placeNoise: Float
  /// The standard deviation of the lasting part without a lattice, in dB.
  private let far: Float
  /// The standard deviation of the part that lasts for a step, in dB.
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
    self.far = far.squareRoot()
    self.near = near
    self.packet = packet
    self.leastLogLikelihood = leastLogLikelihood
  }

  /// Returns the expected levels in dBm, with the standard deviations of the lasting part in dB.
  ///
  /// - Parameter exponentError: The correction to the exponent.
  @inline(__always)
  func level(
    at place: PlaceBlock, exponentError: SIMD8<Float>
  ) -> (level: SIMD8<Float>, far: SIMD8<Float>) {
    let (dx, dy, dz) = (place.x - x, place.y - y, place.height - height)
    // Below 1 cm the curve is meaningless, and its logarithm has a pole.
    let squared = (dx * dx + dy * dy + dz * dz).most(1e-4)
    let level = measuredPower + (slope + Self.slopeOfExponent * exponentError) * squared.logarithm
    guard let lattice else { return (level, SIMD8(repeating: far)) }
    let (offset, deviation) = lattice.shadowing(place.x, place.y, from: origin)
    let variance = deviation * deviation - placeNoise
    return (level + offset, variance.most(0).root)
  }
}
