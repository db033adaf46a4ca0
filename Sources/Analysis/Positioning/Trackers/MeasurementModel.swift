import Geometry
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
  /// - Parameter deviation: that was asked for; nil = as the map has it, and ``usualOffset`` without
  ///   one. What the calibration does not know comes on top.
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
