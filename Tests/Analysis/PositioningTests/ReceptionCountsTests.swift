import Foundation
import Geometry
import TestSupport
import Testing

@testable import Positioning

struct ReceptionCountsTests {
  private static let numbers = ReceptionCounts(
    middle: -86, width: 3, share: 0.8, concentration: 5)

  /// Places at random levels of some anchors, whose counts are drawn from the model by Pólya's urn:
  /// each packet received makes the next more likely.
  private static func counts(
    _ places: Int, anchors: Int = 8, of numbers: ReceptionCounts,
    using generator: inout SeededGenerator
  ) -> [[ReceptionCounts.Count]] {
    (0..<anchors).map { _ in
      (0..<places).map { _ in
        let level = Double.random(in: -105 ... -65, using: &generator)
        let mean = numbers.share / (1 + exp(-(level - numbers.middle) / numbers.width))
        var received = 0.0
        for drawn in 0..<20 {
          let odds = numbers.concentration * mean + received
          let all = numbers.concentration + Double(drawn)
          if Double.random(in: 0..<all, using: &generator) < odds { received += 1 }
        }
        return ReceptionCounts.Count(level: level, received: received, sent: 20)
      }
    }
  }

  @Test func `is scipy's beta-binomial distribution, but for the number of ways`() throws {
    var generator = SeededGenerator(seed: 3)
    let counts = (0..<200).map { _ in
      let sent = Int.random(in: 1...400, using: &generator)
      return ReceptionCounts.Count(
        level: .random(in: -110 ... -60, using: &generator),
        received: Double(Int.random(in: 0...sent, using: &generator)), sent: Double(sent))
    }
    let script = """
      from scipy.stats import betabinom
      from scipy.special import gammaln
      for level, k, n in rows:
          p = np.clip(0.8 / (1 + np.exp(-(level + 86) / 3)), 1e-6, 1 - 1e-6)
          ways = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)
          answer(betabinom.logpmf(k, n, 5 * p, 5 * (1 - p)) - ways)
      """
    let answers = try reference(script, counts.map { [$0.level, $0.received, $0.sent] })
    for (count, theirs) in zip(counts, answers) {
      let mine = Self.numbers.logProbability(of: count)
      #expect(isClose(mine, theirs[0], absolute: 1e-8 * (1 + abs(theirs[0]))))
    }
  }

  @Test func `tabulated costs of a count are those of its probability`() {
    let costs = ReceptionCosts(12, of: 40, Self.numbers)
    for score in stride(from: -14.9, through: 14.9, by: 0.037) {
      let exact = -Self.numbers.logProbability(of: 12, among: 40, score: score)
      #expect(isClose(Double(costs.cost(atScore: Float(score))), exact, absolute: 0.01))
    }
    #expect(costs.cost(atScore: 1000) == costs.cost(atScore: 15))
  }

  @Test
  func `a level that is uncertain is received with the mean of the shares, to 2 percent`() throws {
    let rows = [(-100.0, 4.0), (-90, 25), (-86, 9), (-80, 16), (-70, 36)]
    let script = """
      from scipy.integrate import quad
      from scipy.stats import norm
      for level, variance in rows:
          s = np.sqrt(variance)
          answer(quad(lambda e: norm.pdf(e, 0, s) / (1 + np.exp(-(level + e + 86) / 3)), -8*s, 8*s)[0])
      """
    let answers = try reference(script, rows.map { [$0.0, $0.1] })
    for (row, theirs) in zip(rows, answers) {
      let score = (row.0 - Self.numbers.middle) / Self.numbers.width(atVariance: row.1)
      #expect(isClose(1 / (1 + exp(-score)), theirs[0], absolute: 0.02), "\(row)")
    }
  }

  @Test func `the most likely numbers are those that scipy finds`() throws {
    var generator = SeededGenerator(seed: 5)
    let counts = Self.counts(60, of: Self.numbers, using: &generator)
    let learned = try #require(ReceptionCounts.learned(from: counts))
    let script = """
      from scipy.special import betaln, expit
      from scipy.optimize import minimize
      level, k, n = np.array(rows).T
      def cost(x):
          p = np.clip(expit(x[2]) * expit((level - x[0]) / np.exp(x[1])), 1e-6, 1 - 1e-6)
          c = np.exp(x[3])
          return -np.sum(betaln(c * p + k, c * (1 - p) + n - k) - betaln(c * p, c * (1 - p)))
      best = minimize(cost, [-86, np.log(3), 1, np.log(5)], method="Nelder-Mead",
                      options=dict(xatol=1e-6, fatol=1e-8, maxiter=5000))
      answer(best.fun, best.x[0], np.exp(best.x[1]), expit(best.x[2]), np.exp(best.x[3]))
      """
    let theirs = try reference(
      script, counts.flatMap(\.self).map { [$0.level, $0.received, $0.sent] })[0]
    let mine = -counts.flatMap(\.self).reduce(0) { $0 + learned.logProbability(of: $1) }
    #expect(isClose(mine, theirs[0], absolute: 0.01), "\(mine) \(theirs)")
    #expect(isClose(learned.middle, theirs[1], absolute: 0.1))
    #expect(isClose(learned.width, theirs[2], absolute: 0.1))
    #expect(isClose(learned.share, theirs[3], absolute: 0.01))
    #expect(isClose(learned.concentration, theirs[4], absolute: 0.2))
  }

  @Test func `simulated counts give back the numbers that they were drawn with`() throws {
    var generator = SeededGenerator(seed: 8)
    let learned = try #require(
      ReceptionCounts.learned(from: Self.counts(300, of: Self.numbers, using: &generator)))
    #expect(abs(learned.middle + 86) < 0.7 && abs(learned.width - 3) < 0.5, "\(learned)")
    #expect(abs(learned.share - 0.8) < 0.03 && abs(learned.concentration - 5) < 1, "\(learned)")
  }

  @Test func `if only anchors differ, or little is known, nothing is learned`() {
    var generator = SeededGenerator(seed: 9)
    // Each anchor has a share and a mean level of its own, and the place makes no difference.
    let differing = (0..<4).map { anchor in
      (0..<40).map { _ in
        ReceptionCounts.Count(
          level: -70 + 4 * Double(anchor) + .random(in: -5...5, using: &generator),
          received: Double(
            (0..<30).count { _ in
              Double.random(in: 0..<1, using: &generator) < 0.6 + 0.1 * Double(anchor)
            }), sent: 30)
      }
    }
    #expect(ReceptionCounts.learned(from: differing) == nil)
    let whole = differing.map { counts in
      counts.map { ReceptionCounts.Count(level: $0.level, received: 30, sent: 30) }
    }
    #expect(ReceptionCounts.learned(from: whole) == nil)
    #expect(ReceptionCounts.learned(from: []) == nil)
    #expect(
      ReceptionCounts.learned(from: Self.counts(3, of: Self.numbers, using: &generator)) == nil)
    let broken = [[ReceptionCounts.Count(level: .nan, received: 0, sent: 0)]]
    #expect(ReceptionCounts.learned(from: broken) == nil)
  }

  @Test func `silence and counts move an answer away from anchors that were not received`() throws {
    // Two anchors on a line; levels below -80 dBm are hardly received.
    let anchors = [Point(x: 0, y: 0), Point(x: 30, y: 0), Point(x: 15, y: 20)].map {
      Anchor(place: $0, measuredPower: -55, exponent: 2.5, sigma: 6)
    }
    var site = Surroundings()
    site.anchors = anchors
    var generator = SeededGenerator(seed: 12)
    site.survey = (0..<80).map { index in
      let place = Point(
        x: .random(in: -10...40, using: &generator), y: .random(in: -5...25, using: &generator))
      let levels = anchors.indices.compactMap { anchor -> Reading? in
        let level = anchors[anchor].expectedLevel(at: place) + 3 * generator.gaussian()
        let packets = Int(20 / (1 + exp(-(level + 82) / 1.5)))
        return packets == 0
          ? nil : Reading(time: 0, anchor: anchor, rssi: level, packets: packets)
      }
      return SurveyPoint(place: place, levels: levels, trace: index)
    }.filter { !$0.levels.isEmpty }
    site.radioMap = RadioMap(survey: site.survey, anchors: anchors)
    let learned = try #require(site.radioMap?.reception.byMap)
    #expect(abs(learned.middle + 82) < 3, "\(learned)")
    #expect(site.radioMap?.reception.byCurve != nil)
    // Only the first is heard, from some 9 m: on the far side of it, as the others are silent.
    let heard = [Observation(anchors[0], number: 0, rssi: -79, packets: 20)]
    for name in ["gaussian-process", "posterior-mean"] {
      let silent = try #require(try Algorithms.named(name).locate(heard, in: site).position)
      let deaf = try #require(
        try Algorithms.named(name + ":silence=no").locate(heard, in: site).position)
      #expect(silent.x < deaf.x - 1, "\(name): \(silent) \(deaf)")
    }
  }
}
