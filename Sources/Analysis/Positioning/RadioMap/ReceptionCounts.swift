import RealModule

/// How many of a place's packets are received of an anchor, by the level that is expected there.
///
/// Of N packets k are received with a beta-binomial probability: the share received has the mean p =
/// `share` / (1 + exp(-(level - `middle`) / `width`)) and a beta distribution about it, of
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
  /// The mean of a logistic curve over a normal error is nearly a wider one; π / 8 makes it right in
  /// the middle. Source: MacKay, "The evidence framework applied to classification networks", 1992.
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
