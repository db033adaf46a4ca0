import Geometry
import RealModule

extension Anchor.Reception {
  /// How often anchors are heard by one receiver, learned from recordings, with or without truth.
  ///
  /// The sensitivity is the receiver's, so all its anchors show it: the level below which one
  /// packet in a hundred is, as stray ones do not count. It is known only where packets do fade
  /// away there: where at least one anchor is now heard weakly and now not at all. The rate is an
  /// anchor's own: that which makes silence as frequent as it is in the windows in which it is
  /// received well, those whose two neighbours have mean levels at least 10 dB above the
  /// sensitivity, and no larger than the packets a second in these. Packets that come in bursts, or
  /// a receiver that pauses, so have a lower rate than their number: silence states less then.
  ///
  /// - Parameter windows: of each anchor, the windows of recordings one after the other, of
  ///   about equal lengths.
  /// - Returns: one an anchor; nil where there is too little: fewer than 500 packets of all
  ///   anchors, no weak ones, or fewer than 20 windows of good reception.
  package static func learned(from windows: [[ReceptionWindow]]) -> [Anchor.Reception?] {
    guard let sensitivity = sensitivity(windows) else { return windows.map { _ in nil } }
    return windows.map { windows in
      rate(windows, above: sensitivity + goodMargin).map {
        Anchor.Reception(rate: $0, sensitivity: sensitivity)
      }
    }
  }

  /// In dB above the sensitivity; at 10 dB, three deviations of a packet, hardly any is lost.
  private static let goodMargin = 10.0
  private static let leastPackets = 500
  private static let leastWindows = 20

  private static func sensitivity(_ windows: [[ReceptionWindow]]) -> Double? {
    let levels = windows.joined().flatMap(\.levels).filter(\.isFinite).sorted()
    guard levels.count >= leastPackets else { return nil }
    let edge = levels[levels.count / 100]
    // A receiver whose anchors are all near has an edge, too, but nothing is lost at it.
    let isReached = windows.contains { windows in
      let heard = windows.compactMap(\.mean)
      let silent = windows.count - heard.count
      let weak = heard.count { $0 < edge + goodMargin }
      return silent * 10 >= windows.count && weak * 2 > heard.count && heard.count >= leastWindows
    }
    return isReached ? edge : nil
  }

  private static func rate(_ windows: [ReceptionWindow], above level: Double) -> Double? {
    let means = windows.map(\.mean)
    func isGood(_ index: Int) -> Bool { means[index].map { $0 >= level } ?? false }
    var (count, silent, packets, seconds) = (0, 0, 0, 0.0)
    for index in windows.indices.dropFirst().dropLast() where isGood(index - 1) && isGood(index + 1)
    {
      count += 1
      silent += windows[index].levels.isEmpty ? 1 : 0
      packets += windows[index].levels.count
      seconds += windows[index].seconds
    }
    guard count >= leastWindows, packets > 0, seconds > 0 else { return nil }
    // Half a silence more: none in so many windows is not none at all.
    let share = (Double(silent) + 0.5) / (Double(count) + 1)
    let rateOfSilence = -Double.log(share) * Double(count) / seconds
    return min(rateOfSilence, Double(packets) / seconds)
  }
}

extension ReceptionWindow {
  /// The mean level in dBm; nil for silence.
  fileprivate var mean: Double? {
    levels.isEmpty ? nil : levels.reduce(0, +) / Double(levels.count)
  }
}

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
