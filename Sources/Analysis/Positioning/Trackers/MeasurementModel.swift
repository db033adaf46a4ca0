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
