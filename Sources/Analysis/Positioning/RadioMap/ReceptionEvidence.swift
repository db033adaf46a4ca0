/// The evidence of the numbers of packets received at a stop, for one way of expecting levels.
struct ReceptionEvidence {
  let counts: ReceptionCounts
  /// The anchors that the survey received.
  let surveyed: [Int]
  /// The variance of one packet in dB², if expected levels are those of the map; `nil` if the width
  /// of the counts includes it.
  let packetVariance: Double?

  /// - Parameters:
  ///   - map: The map of the survey.
  ///   - usesMap: A Boolean value that is true if expected levels are those of the map.
  /// - Returns: `nil` without a map, and if reception does not depend on the level.
  init?(_ map: RadioMap?, usesMap: Bool) {
    guard let map, let counts = usesMap ? map.reception.byMap : map.reception.byCurve else {
      return nil
    }
    self.counts = counts
    surveyed = map.surveyed
    packetVariance = usesMap ? map.variation.packetNoise * map.variation.packetNoise : nil
  }

  /// Calls a closure for each surveyed anchor with the costs of its number of packets.
  ///
  /// The best received anchor has lost none, as far as is known.
  ///
  /// - Parameter observations: The levels of the stop, with their packets.
  func forEachAnchor(
    _ observations: [(anchor: Int, packets: Double)], _ body: (Int, ReceptionCosts) -> Void
  ) {
    var received: [Int: Double] = [:]
    for one in observations { received[one.anchor, default: 0] += one.packets }
    guard let sent = received.values.max(), sent > 0 else { return }
    for anchor in surveyed {
      body(anchor, ReceptionCosts(received[anchor] ?? 0, of: sent, counts))
    }
  }
}

/// The cost of receiving some of the packets sent, by the distance of the expected level from the
/// middle of the reception curve, in widths: tabulated in steps of 1/20 up to 15.
struct ReceptionCosts {
  private let nodes: [Float]
  private static let (reach, steps) = (15.0, 20.0)

  init(_ received: Double, of sent: Double, _ counts: ReceptionCounts) {
    nodes = (0...Int(2 * Self.reach * Self.steps)).map { node in
      Float(
        -counts.logProbability(
          of: received, among: sent, score: Double(node) / Self.steps - Self.reach))
    }
  }

  @inline(__always)
  func cost(atScore score: Float) -> Float {
    let last = Float(nodes.count - 1) - 0.001
    let place = min(max(Float(Self.steps) * (score + Float(Self.reach)), 0), last)
    let node = Int(place)
    return nodes[node] + (place - Float(node)) * (nodes[node + 1] - nodes[node])
  }
}
