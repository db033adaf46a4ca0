import Geometry

/// The level of each anchor at any place, with or without a radio map.
struct MeasurementModel {
  let anchors: [Anchor]
  private let map: RadioMap?
  private let parts: [(shadowing: Double, packet: Double)]

  /// - Parameter map: whose anchors these are; nil = the path-loss curves alone.
  init(_ anchors: [Anchor], map: RadioMap?) {
    self.anchors = anchors
    self.map = map
    parts = anchors.map {
      let packet = map.map { $0.variation.packetNoise * $0.variation.packetNoise }
      let parts = Shadowing.parts(of: $0)
      return (parts.shadowing, packet ?? parts.packet)
    }
  }

  /// The expected level in dBm, and the standard deviation in dB of its shadowing.
  func level(_ anchor: Int, at place: Point, height: Double) -> (level: Double, deviation: Double) {
    let level = anchors[anchor].expectedLevel(at: place, height: height)
    guard let map else { return (level, parts[anchor].shadowing.squareRoot()) }
    let (offset, deviation) = map.interpolatedShadowing(anchor: anchor, at: place)
    return (level + offset, deviation)
  }

  /// The variance in dB² of the mean of some packets about their place's level.
  func packetVariance(_ anchor: Int, packets: Double) -> Double { parts[anchor].packet / packets }
}
