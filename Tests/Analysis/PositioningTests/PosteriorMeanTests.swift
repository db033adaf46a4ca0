import Foundation
import Geometry
import Positioning
import TestSupport
import Testing

struct PosteriorMeanTests {
  private static let site = {
    var surroundings = Surroundings()
    surroundings.anchors = [(1.0, 1.0), (11, 0.5), (6, 7.5), (0.5, 7), (11.5, 7)].map {
      Anchor(
        place: Point(x: $0.0, y: $0.1), heightDifference: 1.2, measuredPower: -59, exponent: 2.1,
        sigma: 4)
    }
    surroundings.bounds = Bounds(minimum: Point(x: 0, y: 0), maximum: Point(x: 12, y: 8))
    return surroundings
  }()

  /// Returns the levels of the anchors at a place, with independent errors of their sigma.
  private static func levels(
    at place: Point, _ site: Surroundings, using generator: inout SeededGenerator
  ) -> [Observation] {
    site.anchors.enumerated().map { number, anchor in
      let distance = hypot(anchor.place.distance(to: place), anchor.heightDifference)
      let level = anchor.measuredPower - 10 * anchor.exponent * log10(distance)
      return Observation(anchor, number: number, rssi: level + anchor.sigma * generator.gaussian())
    }
  }

  @Test func `mean and covariance agree with numpy's sum over a fine mesh`() throws {
    var generator = SeededGenerator(seed: 41)
    let scenes = (0..<6).map { _ in
      Self.levels(at: Point(x: 4, y: 3), Self.site, using: &generator)
    }
    let rows = scenes.map {
      $0.map { "\($0.anchor.x),\($0.anchor.y),\($0.rssi)" }.joined(separator: ";")
    }
    let script = """
      import sys, numpy as np
      x, y = np.meshgrid((np.arange(600) + .5) * .02, (np.arange(400) + .5) * .02)
      for row in sys.argv[1:]:
          logs = np.zeros_like(x)
          for t in row.split(';'):
              ax, ay, z = map(float, t.split(','))
              e = (z + 59 + 10.5 * np.log10((x - ax) ** 2 + (y - ay) ** 2 + 1.44)) / 4
              logs -= np.minimum(e * e, 12.25) / 2
          w = np.exp(logs - logs.max()); w /= w.sum()
          mx, my = (w * x).sum(), (w * y).sum()
          print(mx, my, (w * (x - mx) ** 2).sum(), (w * (x - mx) * (y - my)).sum(), (w * (y - my) ** 2).sum())
      """
    let result = try runPython(script, rows)
    try #require(result.exitCode == 0, "\(result.error)")
    let lines = result.output.split(separator: "\n")
    try #require(lines.count == scenes.count)
    let outcomes = PosteriorMean().locate(
      scenes.map { Scan(instant: 1_000_000_000, start: 0, observations: $0) }, in: Self.site)
    for (outcome, line) in zip(outcomes, lines) {
      let n = line.split(separator: " ").map { Double($0)! }
      let (p, c) = (try #require(outcome.position), try #require(outcome.covariance))
      #expect(isClose(p, Point(x: n[0], y: n[1]), within: 0.01))
      for (mine, theirs) in zip([c.xx, c.xy, c.yy], n[2...]) {
        #expect(isClose(mine, theirs, absolute: 0.02))
      }
    }
  }

  @Test func `its 95 % ellipses hold 93 to 97 % of the targets where the model is true`() throws {
    var generator = SeededGenerator(seed: 42)
    let trials = 1000
    var (held, score) = (0, 0.0)
    var truths: [Point] = []
    let scans = (0..<trials).map { _ in
      truths.append(
        Point(
          x: Double.random(in: 0..<12, using: &generator),
          y: Double.random(in: 0..<8, using: &generator)))
      return Scan(
        instant: 1_000_000_000, start: 0,
        observations: Self.levels(at: truths[truths.count - 1], Self.site, using: &generator))
    }
    for (outcome, truth) in zip(PosteriorMean().locate(scans, in: Self.site), truths) {
      let (p, c) = (try #require(outcome.position), try #require(outcome.covariance))
      let squared = c.squaredScore(p.x - truth.x, p.y - truth.y)
      score += squared
      if squared <= 5.991 { held += 1 }
    }
    // Two standard errors of 1,000 trials are 1.4 %.
    #expect((0.93 * 1000...0.97 * 1000).contains(Double(held)), "\(held)")
    #expect(isClose(score / Double(trials), 2, absolute: 0.2))
  }

  @Test
  func `one anchor alone gives its own place, with a ring's covariance; none gives none`() throws {
    let alone = Observation(
      anchor: Point(x: 3, y: -2), rssi: -59 - 20 * log10(5), measuredPower: -59, exponent: 2,
      sigma: 1)
    let outcome = try Algorithms.named("posterior-mean:cutoff=100").locate([alone])
    let c = try #require(outcome.covariance)
    #expect(isClose(try #require(outcome.position), Point(x: 3, y: -2), within: 0.01))
    // Half the mean squared radius along each axis: radii r e^(δu), u normal, weighted with the
    // ring's area.
    let deviation = Foundation.log(10.0) / 20
    let variance = 12.5 * exp(6 * deviation * deviation)
    #expect(isClose(c.xx, variance, absolute: 0.3) && isClose(c.yy, variance, absolute: 0.3))
    #expect(PosteriorMean().locate([]).refusal == .tooFewAnchors)
    #expect(try Algorithms.named("gaussian-process").locate([alone]).refusal == .noSurvey)
  }

  @Test func `a room that holds the target rules out all other places`() throws {
    var site = Self.site
    let corners = [(0.0, 0.0), (3, 0), (3, 3), (0, 3)].map { Point(x: $0.0, y: $0.1) }
    site.rooms = [Polygon(name: "store", corners: corners)]
    var generator = SeededGenerator(seed: 43)
    for _ in 0..<5 {
      let observations = Self.levels(at: Point(x: 2.9, y: 2.9), site, using: &generator)
      let p = try #require(PosteriorMean().locate(observations, in: site).position)
      #expect((0...3).contains(p.x) && (0...3).contains(p.y))
    }
  }

  @Test
  func `an anchor that is not heard pushes the answer away, if its reception is known`() throws {
    var site = Self.site
    for index in site.anchors.indices {
      site.anchors[index].reception = Anchor.Reception(rate: 5, sensitivity: -75)
    }
    var generator = SeededGenerator(seed: 44)
    let all = Self.levels(at: Point(x: 6, y: 5), site, using: &generator)
    func answer(_ name: String, _ heard: [Observation]) throws -> Outcome {
      let scan = Scan(instant: 2_000_000_000, start: 0, observations: heard)
      return try Algorithms.named(name).locate([scan], in: site)[0]
    }
    // Two anchors on the right are heard and those on the left are not.
    let right = [all[2], all[4]]
    let unheard = try #require(try answer("posterior-mean", right).position)
    let ignored = try #require(try answer("posterior-mean:silence=no", right).position)
    #expect(unheard.x > ignored.x + 0.2)
    // Only the one in the middle is heard: left and right are alike, and the ends less probable.
    let covariance = try #require(try answer("posterior-mean", [all[2]]).covariance)
    let vague = try #require(try answer("posterior-mean:silence=no", [all[2]]).covariance)
    #expect(covariance.xx < vague.xx)
  }

  @Test func `in space it gives the height too, with its covariance`() throws {
    var site = Self.site
    site.dimensions = .space
    site.bounds?.heights = 0...3
    site.anchors = [
      (0.0, 0.0, 0.2), (12, 0, 2.8), (0, 8, 2.8), (12, 8, 0.2), (6, 4, 2.9), (6, 4, 0.1),
      (3, 2, 0.1),
    ].map {
      Anchor(
        place: Point(x: $0.0, y: $0.1), heightDifference: $0.2, measuredPower: -59, exponent: 2,
        sigma: 0.5)
    }
    let (truth, height) = (Point(x: 5.2, y: 3.4), 2.1)
    let observations = site.anchors.enumerated().map { number, anchor in
      let distance = hypot(anchor.place.distance(to: truth), anchor.heightDifference - height)
      return Observation(anchor, number: number, rssi: -59 - 20 * log10(distance))
    }
    let outcome = PosteriorMean().locate(observations, in: site)
    guard case .located(let estimate) = outcome else {
      Issue.record("no answer: \(outcome)")
      return
    }
    #expect(isClose(estimate.position, truth, within: 0.15))
    #expect(isClose(try #require(estimate.height), height, absolute: 0.15))
    let vertical = try #require(estimate.uncertainty.covariance?.vertical)
    #expect(vertical.zz > 0 && vertical.zz < 0.1)
  }

  @Test func `a learned map is used where it is asked for`() throws {
    var site = Self.site
    // Every anchor is 10 dB weaker in the left half than its curve predicts.
    site.survey = (0..<60).map { number in
      let place = Point(x: 0.6 + Double(number % 10) * 1.2, y: 0.7 + Double(number / 10) * 1.3)
      return SurveyPoint(
        place: place,
        levels: site.anchors.enumerated().map { index, anchor in
          let distance = hypot(anchor.place.distance(to: place), anchor.heightDifference)
          let curve = anchor.measuredPower - 10 * anchor.exponent * log10(distance)
          return Reading(time: 0, anchor: index, rssi: curve - (place.x < 6 ? 10 : 0), packets: 20)
        })
    }
    site.radioMap = RadioMap(survey: site.survey, anchors: site.anchors)
    let truth = Point(x: 3, y: 4)
    let observations = site.anchors.enumerated().map { number, anchor in
      let distance = hypot(anchor.place.distance(to: truth), anchor.heightDifference)
      return Observation(
        anchor, number: number,
        rssi: anchor.measuredPower - 10 * anchor.exponent * log10(distance) - 10, packets: 20)
    }
    let plain = try #require(PosteriorMean().locate(observations, in: site).position)
    let mapped = try #require(
      try Algorithms.named("gaussian-process").locate(observations, in: site).position)
    #expect(mapped.distance(to: truth) < 0.5)
    #expect(plain.distance(to: truth) > 2 * mapped.distance(to: truth))
    #expect(
      try Algorithms.named("posterior-mean:map=yes").locate(observations, in: site).position
        == mapped)
  }
}
