import Geometry
import RealModule

extension Anchor.Reception {
  /// Learns the reception of each anchor by one receiver from recordings, with or without ground
  /// truth.
  ///
  /// The sensitivity belongs to the receiver and is estimated from all anchors together: the first
  /// percentile of the levels, which excludes stray packets. It is known only if packets fade away
  /// there, so that at least one anchor is weak in some windows and silent in others. The rate
  /// belongs to an anchor: it is the rate that makes silence as frequent as in the windows of good
  /// reception, those between two windows whose mean levels are at least 10 dB above the
  /// sensitivity. It is at most the packet rate in these windows. If packets come in bursts or the
  /// receiver pauses, the rate is lower than their number, and silence carries less information.
  ///
  /// - Parameter windows: The windows of recordings one after the other, of about equal lengths,
  ///   per anchor.
  /// - Returns: The reception per anchor; `nil` if there is too little data: fewer than 500 packets
  ///   of all anchors, no weak packets, or fewer than 20 windows of good reception.
  package static func learned(from windows: [[ReceptionWindow]]) -> [Anchor.Reception?] {
    guard let sensitivity = sensitivity(windows) else { return windows.map { _ in nil } }
    return windows.map { windows in
      rate(windows, above: sensitivity + goodMargin).map {
        Anchor.Reception(rate: $0, sensitivity: sensitivity)
      }
    }
  }

  /// The margin of good reception above the sensitivity, in dB; at 10 dB, three standard deviations
  /// of a packet, hardly any packet is lost.
  private static let goodMargin = 10.0
  private static let leastPackets = 500
  private static let leastWindows = 20

  private static func sensitivity(_ windows: [[ReceptionWindow]]) -> Double? {
    let levels = windows.joined().flatMap(\.levels).filter(\.isFinite).sorted()
    guard levels.count >= leastPackets else { return nil }
    let edge = levels[levels.count / 100]
    // A receiver with only near anchors has a lowest level, too, but loses nothing at it.
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
    // Half a silence more, because zero observed silences do not mean zero probability.
    let share = (Double(silent) + 0.5) / (Double(count) + 1)
    let rateOfSilence = -Double.log(share) * Double(count) / seconds
    return min(rateOfSilence, Double(packets) / seconds)
  }
}

extension ReceptionWindow {
  /// The mean level in dBm; `nil` for silence.
  fileprivate var mean: Double? {
    levels.isEmpty ? nil : levels.reduce(0, +) / Double(levels.count)
  }
}

/// The dependence of receptions in a survey on the expected levels: from the curves alone, and from
/// the map.
struct SurveyedReception {
  let byCurve: ReceptionCounts?
  let byMap: ReceptionCounts?
  /// The median number of packets per place of the best received anchor.
  let packets: Double

  /// - Parameters:
  ///   - order: The anchors that the survey received, in the order of the sums.
  ///   - shadowing: Returns the correction to an anchor's curve at a place, in dB, with its
  ///     standard deviation.
  init(
    _ survey: [SurveyPoint], _ anchors: [Anchor], order: [Int],
    shadowing: (_ anchor: Int, _ place: Point) -> (offset: Double, deviation: Double)
  ) {
    var byCurve = [[ReceptionCounts.Count]](repeating: [], count: order.count)
    var byMap = byCurve
    var most: [Double] = []
    // The sample is spread evenly over the survey; each point has as many counts as there are
    // anchors.
    let points = survey.filter { $0.levels.contains { $0.packets > 0 } }
      .sampled(max(ReceptionCounts.mostCounts / max(order.count, 1), 1))
    for point in points {
      var received: [Int: Double] = [:]
      for level in point.levels { received[level.anchor, default: 0] += Double(level.packets) }
      // The number of sent packets is estimated as that of the best received anchor.
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
