import NumericalMethods
import RealModule

/// How many of a place's packets are received of an anchor, by the level that is expected there.
///
/// Of N packets k are received with a beta-binomial probability: the share received has the mean p
/// = `share` / (1 + exp(-(level - `middle`) / `width`)) and a beta distribution about it, of
/// `concentration` c: α = c p, β = c (1 - p). Packets of one place are lost together, so a small c
/// keeps fifty of them from passing for fifty independent ones.
package struct ReceptionCounts: Equatable, Sendable {
  /// The level at which half of what is ever received is, in dBm.
  package var middle: Double
  /// Over how many decibels reception fades.
  package var width: Double
  /// The share of packets that are received where levels are high.
  package var share: Double
  package var concentration: Double

  package init(middle: Double, width: Double, share: Double, concentration: Double) {
    (self.middle, self.width) = (middle, width)
    (self.share, self.concentration) = (share, concentration)
  }

  /// How many packets were received of an anchor, out of how many, where a level was expected.
  package struct Count: Equatable, Sendable {
    /// In dBm.
    package var level: Double
    /// The variance in dB² of the true level about the expected one.
    package var variance: Double
    package var received: Double
    package var sent: Double

    package init(level: Double, variance: Double = 0, received: Double, sent: Double) {
      (self.level, self.variance) = (level, variance)
      (self.received, self.sent) = (received, sent)
    }
  }

  /// The width where the level is known to a variance in dB².
  ///
  /// The mean of a logistic curve over a normal error is nearly a wider one; π / 8 makes it right
  /// in the middle. Source: MacKay, "The evidence framework applied to classification networks",
  /// 1992.
  package func width(atVariance variance: Double) -> Double {
    (width * width + .pi / 8 * variance).squareRoot()
  }

  /// The logarithm of the probability of a count, without the number of ways in which it can come
  /// about, which is the same at every level.
  package func logProbability(of count: Count) -> Double {
    logProbability(
      of: count.received, among: count.sent,
      score: (count.level - middle) / width(atVariance: count.variance))
  }

  /// ``logProbability(of:)`` by the level's distance from the middle in widths.
  func logProbability(of received: Double, among sent: Double, score: Double) -> Double {
    Self.logProbability(
      of: received, among: sent, mean: share / (1 + Double.exp(-score)),
      concentration: concentration)
  }

  /// ln B(k + c p, N - k + c (1 - p)) - ln B(c p, c (1 - p)).
  static func logProbability(
    of received: Double, among sent: Double, mean: Double, concentration: Double
  ) -> Double {
    // Whatever is expected, something may come or be lost that nothing explains.
    let mean = min(max(mean, 1e-6), 1 - 1e-6)
    let (a, b) = (concentration * mean, concentration * (1 - mean))
    return logBeta(a + received, b + sent - received) - logBeta(a, b)
  }

  private static func logBeta(_ a: Double, _ b: Double) -> Double {
    Double.logGamma(a) + Double.logGamma(b) - Double.logGamma(a + b)
  }
}

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

/// What was heard of one anchor in one piece of a recording, to learn its reception from.
package struct ReceptionWindow: Equatable, Sendable {
  /// How long it is.
  package var seconds: Double
  /// The levels of the packets heard in it, in dBm; empty where there was silence.
  package var levels: [Double]

  package init(seconds: Double, levels: [Double]) {
    self.seconds = seconds
    self.levels = levels
  }
}
