import NumericalMethods
import RealModule

/// The distribution of the number of packets received at a place, by the expected level there.
///
/// The number k of N packets has a beta-binomial distribution: the received share has the mean p =
/// `share` / (1 + exp(-(level - `middle`) / `width`)) and a beta distribution with `concentration`
/// c: α = c p, β = c (1 - p). Packets of one place are lost together: a small c keeps fifty of them
/// from counting as fifty independent ones.
package struct ReceptionCounts: Equatable, Sendable {
  /// The level at which reception is half of the maximum, in dBm.
  package var middle: Double
  /// The width of the transition, in dB.
  package var width: Double
  /// The share of packets received at strong levels.
  package var share: Double
  package var concentration: Double

  package init(middle: Double, width: Double, share: Double, concentration: Double) {
    (self.middle, self.width) = (middle, width)
    (self.share, self.concentration) = (share, concentration)
  }

  /// The received and the sent packets of an anchor at an expected level.
  package struct Count: Equatable, Sendable {
    /// The expected level, in dBm.
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

  /// Returns the width for a level with an uncertainty, given as a variance in dB².
  package func width(atVariance variance: Double) -> Double {
    LogisticNormal.nearScale(of: width, variance: variance)
  }

  /// Returns the logarithm of the probability of a count, without the binomial coefficient, which
  /// is the same at every level.
  package func logProbability(of count: Count) -> Double {
    logProbability(
      of: count.received, among: count.sent,
      score: (count.level - middle) / width(atVariance: count.variance))
  }

  /// Returns ``logProbability(of:)`` from the level's distance from the middle, in widths.
  func logProbability(of received: Double, among sent: Double, score: Double) -> Double {
    Self.logProbability(
      of: received, among: sent, mean: share / (1 + Double.exp(-score)),
      concentration: concentration)
  }

  /// Returns ln B(k + c p, N - k + c (1 - p)) - ln B(c p, c (1 - p)).
  static func logProbability(
    of received: Double, among sent: Double, mean: Double, concentration: Double
  ) -> Double {
    // Clamping allows for receptions and losses that the model does not explain.
    let mean = min(max(mean, 1e-6), 1 - 1e-6)
    let (a, b) = (concentration * mean, concentration * (1 - mean))
    return logBeta(a + received, b + sent - received) - logBeta(a, b)
  }

  private static func logBeta(_ a: Double, _ b: Double) -> Double {
    Double.logGamma(a) + Double.logGamma(b) - Double.logGamma(a + b)
  }
}

extension ReceptionCounts {
  /// Returns the maximum-likelihood parameters of some counts.
  ///
  /// They are accepted only if they explain the counts better than a constant share per anchor:
  /// anchors differ in their rates and mountings, which carries no information about the place.
  ///
  /// - Parameter anchors: The counts at places, per anchor.
  /// - Returns: The parameters, or `nil` if there are fewer than 30 counts or they do not depend on
  ///   the level.
  package static func learned(from anchors: [[Count]]) -> ReceptionCounts? {
    let anchors = anchors.map { $0.filter { $0.sent > 0 && $0.level.isFinite } }
    let counts = anchors.flatMap(\.self)
    guard counts.count >= fewestCounts else { return nil }
    let received = counts.reduce(0) { $0 + $1.received / $1.sent } / Double(counts.count)
    guard received > 0, received < 1 else { return nil }
    // The level above which the share of counts equals the received share.
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

  /// Returns the log-likelihood of a share that does not depend on the place.
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

  /// The smallest number of counts (places × anchors).
  private static let fewestCounts = 30
  /// The largest number of counts; more add time and little else.
  static let mostCounts = 3000

  /// - Parameter x: The middle, the logarithm of the width, the log-odds of the share and the
  ///   logarithm of the concentration; the result is `nil` if they are implausible.
  private static func numbers(from x: [Double]) -> ReceptionCounts? {
    guard abs(x[1]) < 6, abs(x[2]) < 14, abs(x[3]) < 9 else { return nil }
    return ReceptionCounts(
      middle: x[0], width: Double.exp(x[1]), share: 1 / (1 + Double.exp(-x[2])),
      concentration: Double.exp(x[3]))
  }
}

/// The sightings of one anchor in one window of a recording, to learn its reception.
package struct ReceptionWindow: Equatable, Sendable {
  /// The duration of the window.
  package var seconds: Double
  /// The levels of the packets in it, in dBm; empty for silence.
  package var levels: [Double]

  package init(seconds: Double, levels: [Double]) {
    self.seconds = seconds
    self.levels = levels
  }
}
