import NumericalMethods
import RealModule

extension ReceptionCounts {
  /// The four numbers that make counts most likely.
  ///
  /// They count only where they make the counts more likely than if each anchor had a share of its
  /// own at all places: anchors differ in what they send and in how they are set up, which shows
  /// nothing of the place.
  ///
  /// - Parameter anchors: of each anchor, what was received of it at places.
  /// - Returns: nil where the counts do not show that reception depends on the level, or are fewer
  ///   than 30.
  package static func learned(from anchors: [[Count]]) -> ReceptionCounts? {
    let anchors = anchors.map { $0.filter { $0.sent > 0 && $0.level.isFinite } }
    let counts = anchors.flatMap(\.self)
    guard counts.count >= fewestCounts else { return nil }
    let received = counts.reduce(0) { $0 + $1.received / $1.sent } / Double(counts.count)
    guard received > 0, received < 1 else { return nil }
    // The level above which is as much as was received.
    let levels = counts.map(\.level).sorted()
    let middle = levels[min(Int((1 - received) * Double(levels.count)), levels.count - 1)]
    let found = SimplexMinimum(
      from: [middle, Double.log(4), 2, Double.log(4)], steps: [5, 0.5, 1, 0.5], tolerance: 1e-2,
      maximumSteps: 400
    ) { x in
      guard let numbers = numbers(from: x) else { return .infinity }
      return -counts.reduce(0) { $0 + numbers.logProbability(of: $1) }
    }
    guard let best = numbers(from: found.x), found.value < -likelihoodOfOwnShares(anchors) else {
      return nil
    }
    return best
  }

  /// The logarithm of the likelihood if the place made no difference.
  private static func likelihoodOfOwnShares(_ anchors: [[Count]]) -> Double {
    let shares = anchors.map { counts in
      counts.reduce(0) { $0 + $1.received / $1.sent } / Double(max(counts.count, 1))
    }
    let found = SimplexMinimum(
      from: [Double.log(4)], steps: [0.5], tolerance: 1e-3, maximumSteps: 100
    ) { x in
      guard abs(x[0]) < 9 else { return .infinity }
      return -zip(anchors, shares).reduce(0) { sum, anchor in
        anchor.0.reduce(sum) {
          $0
            + logProbability(
              of: $1.received, among: $1.sent, mean: anchor.1, concentration: Double.exp(x[0]))
        }
      }
    }
    return -found.value
  }

  /// Fewer places times anchors than this show nothing.
  private static let fewestCounts = 30
  /// More of them in all add time and little else.
  static let mostCounts = 3000

  /// - Parameter x: the middle, the logarithms of the width and of the odds of the share, and that
  ///   of the concentration; nil where they are of no reception that there is.
  private static func numbers(from x: [Double]) -> ReceptionCounts? {
    guard abs(x[1]) < 6, abs(x[2]) < 14, abs(x[3]) < 9 else { return nil }
    return ReceptionCounts(
      middle: x[0], width: Double.exp(x[1]), share: 1 / (1 + Double.exp(-x[2])),
      concentration: Double.exp(x[3]))
  }
}
