import Geometry

/// How receptions of a survey follow the levels that are expected: by the curves alone, and by the
/// map.
struct SurveyedReception {
  let byCurve: ReceptionCounts?
  let byMap: ReceptionCounts?
  /// As many packets as an ordinary place had of the anchor that was received best: the median.
  let packets: Double

  /// - Parameters:
  ///   - order: the anchors that the survey heard; sums over them are in this order.
  ///   - shadowing: what is to be added to the curve of an anchor at a place, in dB, with the
  ///     standard deviation of the sum.
  init(
    _ survey: [SurveyPoint], _ anchors: [Anchor], order: [Int],
    shadowing: (_ anchor: Int, _ place: Point) -> (offset: Double, deviation: Double)
  ) {
    var byCurve = [[ReceptionCounts.Count]](repeating: [], count: order.count)
    var byMap = byCurve
    var most: [Double] = []
    // Evenly spread over the survey; each is as many counts as there are anchors.
    let points = survey.filter { $0.levels.contains { $0.packets > 0 } }
      .sampled(max(ReceptionCounts.mostCounts / max(order.count, 1), 1))
    for point in points {
      var received: [Int: Double] = [:]
      for level in point.levels { received[level.anchor, default: 0] += Double(level.packets) }
      // As many were sent as were received of the anchor that was received best.
      guard let sent = received.values.max(), sent > 0 else { continue }
      most.append(sent)
      for (index, anchor) in order.enumerated() {
        let curve = anchors[anchor].expectedLevel(at: point.place, height: point.height ?? 0)
        guard curve.isFinite else { continue }
        var count = ReceptionCounts.Count(
          level: curve, received: received[anchor] ?? 0, sent: sent)
        byCurve[index].append(count)
        let (offset, deviation) = shadowing(anchor, point.place)
        count.level += offset
        count.variance = deviation * deviation
        byMap[index].append(count)
      }
    }
    packets = most.isEmpty ? 0 : most.sorted()[most.count / 2]
    self.byCurve = ReceptionCounts.learned(from: byCurve)
    self.byMap = ReceptionCounts.learned(from: byMap)
  }
}
