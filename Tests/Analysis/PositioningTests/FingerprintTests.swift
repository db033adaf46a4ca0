import Foundation
import Geometry
import Support
import TestSupport
import Testing

@testable import Positioning

struct FingerprintTests {
  /// A site of 10 m by 10 m with four anchors in its corners, surveyed on a grid.
  private struct Surveyed {
    static let corners = [(0.0, 0.0), (10, 0), (0, 10), (10, 10)].map { Point(x: $0.0, y: $0.1) }
    var generator: SeededGenerator
    var noise: Double

    mutating func levels(at place: Point, numbers: [Int] = [0, 1, 2, 3]) -> [Double] {
      numbers.map {
        -59 - 20 * log10(Self.corners[$0].distance(to: place) + 0.1) + noise * generator.gaussian()
      }
    }

    mutating func survey(trace: Int, step: Double = 1) -> [SurveyPoint] {
      var points: [SurveyPoint] = []
      for y in stride(from: 0.5, to: 10, by: step) {
        for x in stride(from: 0.5, to: 10, by: step) {
          let place = Point(x: x, y: y)
          let heard = levels(at: place).enumerated().map {
            Reading(time: 0, anchor: $0.offset, rssi: $0.element)
          }
          points.append(SurveyPoint(place: place, height: 1 + x / 10, levels: heard, trace: trace))
        }
      }
      return points
    }
  }

  private func heard(_ levels: [Double], numbers: [Int] = [0, 1, 2, 3]) -> [Observation] {
    zip(numbers, levels).map { number, level in
      Observation(
        anchor: Surveyed.corners[number], rssi: level, measuredPower: -59, exponent: 2, sigma: 4,
        number: number)
    }
  }

  private func surroundings(_ survey: [SurveyPoint]) -> Surroundings {
    var surroundings = Surroundings()
    surroundings.survey = survey
    return surroundings
  }

  @Test func `a place that several recordings visit is left out in all of them`() throws {
    var site = Surveyed(generator: SeededGenerator(seed: 51), noise: 6)
    let once = site.survey(trace: 0)
    // The same levels at the same places again, 1 mm aside: nearest to themselves.
    let again = once.map { point in
      var point = point
      point.place.x += 0.001
      point.trace = 1
      return point
    }
    func training(_ survey: [SurveyPoint]) throws -> FingerprintTraining {
      FingerprintTraining(
        try #require(SignalSpace(survey)), fixed: nil, in: surroundings(survey))
    }
    let (single, both) = (try training(once), try training(once + again))
    #expect(both.neighbours > 1 && both.neighbours == single.neighbours)
  }

  @Test(arguments: [1, 3, 7])
  func `is the weighted mean of the nearest in signal space, as numpy finds them`(k: Int) throws {
    var site = Surveyed(generator: SeededGenerator(seed: 50), noise: 4)
    let survey = site.survey(trace: 0)
    var rows: [[Double]] = []
    var answers: [Point] = []
    for _ in 0..<20 {
      let place = Point(
        x: Double.random(in: 0..<10, using: &site.generator),
        y: Double.random(in: 0..<10, using: &site.generator))
      let levels = site.levels(at: place)
      rows.append(levels + survey.flatMap { [$0.place.x, $0.place.y] + $0.levels.map(\.rssi) })
      answers.append(
        try Fingerprint(neighbours: k).estimate(heard(levels), in: surroundings(survey)).position)
    }
    let expected = try reference(
      """
      for row in rows:
          points = row[4:].reshape(-1, 6)
          floor = points[:, 2:].min() - 1
          d = np.linalg.norm(points[:, 2:] - np.maximum(row[:4], floor), axis=1)
          n = np.argsort(d, kind='stable')[:\(k)]
          w = 1 / np.maximum(d[n], 1 / np.sqrt(12))
          answer(*(w @ points[n, :2] / w.sum()))
      """, rows)
    for (answer, row) in zip(answers, expected) {
      #expect(isClose(answer, Point(x: row[0], y: row[1]), within: 1e-9))
    }
  }

  @Test func `takes silence on either side for a level below the lowest`() throws {
    func point(_ x: Double, _ levels: [(Int, Double)]) -> SurveyPoint {
      SurveyPoint(
        place: Point(x: x, y: 0), levels: levels.map { Reading(time: 0, anchor: $0.0, rssi: $0.1) })
    }
    let place = surroundings([
      point(1, [(0, -60)]), point(2, [(0, -60), (1, -90)]), point(3, [(0, -60), (1, -60)]),
    ])
    func nearest(_ numbers: [Int], _ levels: [Double]) throws -> Double {
      try Fingerprint(neighbours: 1).estimate(heard(levels, numbers: numbers), in: place).position.x
    }
    #expect(try nearest([0], [-60]) == 1)
    #expect(try nearest([0, 1], [-60, -90]) == 2)
    // Lower than anything surveyed is as good as silence.
    #expect(try nearest([0, 1], [-60, -120]) == 1)
    #expect(try nearest([0, 1], [-61, -65]) == 3)
    // An anchor that was never surveyed does not count, and alone is too little.
    #expect(try nearest([0, 3], [-60, -40]) == 1)
    #expect(throws: Refusal.tooFewAnchors) { try nearest([3], [-40]) }
  }

  @Test func `more noise in the survey asks for more neighbours`() throws {
    var errors: [[Double]] = []
    for noise in [0.0, 6] {
      var site = Surveyed(generator: SeededGenerator(seed: 51), noise: noise)
      let known = surroundings(site.survey(trace: 0) + site.survey(trace: 1))
      let places = (0..<100).map { _ in
        Point(
          x: Double.random(in: 1..<9, using: &site.generator),
          y: Double.random(in: 1..<9, using: &site.generator))
      }
      let scans = places.map {
        Scan(instant: 0, start: -1, observations: heard(site.levels(at: $0)))
      }
      let sums = try [Fingerprint(), Fingerprint(neighbours: 1)].map { algorithm in
        try zip(algorithm.locate(scans, in: known), places).reduce(0) { sum, pair in
          sum + (try #require(pair.0.position)).distance(to: pair.1)
        }
      }
      errors.append(sums.map { $0 / 100 })
    }
    // Without noise the best number is as good as one; with it, far better.
    #expect(errors[0][0] < 0.6 && errors[0][0] <= errors[0][1])
    #expect(errors[1][0] < 0.85 * errors[1][1])
  }

  @Test func `its ellipses cover as they claim where the survey is like the site`() throws {
    var site = Surveyed(generator: SeededGenerator(seed: 52), noise: 4)
    let survey = (0..<2).flatMap { site.survey(trace: $0) }
    let scans = (0..<400).map { index in
      let place = Point(
        x: Double.random(in: 0.5..<9.5, using: &site.generator),
        y: Double.random(in: 0.5..<9.5, using: &site.generator))
      return (
        place, Scan(instant: Int64(index), start: -1, observations: heard(site.levels(at: place)))
      )
    }
    let outcomes = Fingerprint().locate(scans.map(\.1), in: surroundings(survey))
    var inside = 0
    for (scan, outcome) in zip(scans, outcomes) {
      let (p, covariance) = (try #require(outcome.position), try #require(outcome.covariance))
      if covariance.squaredScore(p.x - scan.0.x, p.y - scan.0.y) <= 5.991 { inside += 1 }
    }
    #expect((360...394).contains(inside), "\(inside) of 400 in 95 % ellipses")
  }

  /// Trials on the survey's own two corridors show nothing about the floor between them.
  @Test func `its ellipses cover a floor of which corridors were surveyed`() throws {
    var site = Surveyed(generator: SeededGenerator(seed: 56), noise: 4)
    let whole: [SurveyPoint] = site.survey(trace: 0) + site.survey(trace: 1)
    let survey = whole.filter { point in
      let y: Double = point.place.y
      return abs(y - 2) < 0.8 || abs(y - 8) < 0.8
    }
    let scans = (0..<400).map { index in
      let place = Point(
        x: Double.random(in: 0..<10, using: &site.generator),
        y: Double.random(in: 0..<10, using: &site.generator))
      return (
        place, Scan(instant: Int64(index), start: -1, observations: heard(site.levels(at: place)))
      )
    }
    var known = surroundings(survey)
    known.bounds = Bounds(minimum: Point(x: 0, y: 0), maximum: Point(x: 10, y: 10))
    let inside = try zip(scans, Fingerprint().locate(scans.map(\.1), in: known)).count {
      let (p, covariance) = (try #require($1.position), try #require($1.covariance))
      return covariance.squaredScore(p.x - $0.0.x, p.y - $0.0.y) <= 5.991
    }
    #expect((364...398).contains(inside), "\(inside) of 400 in 95 % ellipses")
  }

  /// A single point answers for a whole rectangle, whose sides have the variance side² / 12.
  @Test func `the gap of a point is the variance of the floor around it`() throws {
    let point = SurveyPoint(
      place: Point(x: 6, y: 2), levels: [Reading(time: 0, anchor: 0, rssi: -60)])
    var known = Surroundings()
    known.bounds = Bounds(minimum: Point(x: 0, y: 0), maximum: Point(x: 12, y: 4))
    let space = try #require(SignalSpace([point, point]))
    let gaps = FingerprintTraining(space, fixed: 1, in: known).gaps
    #expect(gaps.count == 2 && gaps[0] == gaps[1])
    #expect(
      isClose(gaps[0].xx, 12, relative: 0.01) && isClose(gaps[0].yy, 16.0 / 12, relative: 0.01))
    #expect(isClose(gaps[0].xy, 0, absolute: 1e-9))
  }

  @Test func `answers all scans of a trace as it answers each scan alone`() throws {
    var site = Surveyed(generator: SeededGenerator(seed: 53), noise: 4)
    let known = surroundings(site.survey(trace: 0, step: 2))
    let scans = (0..<5).map { index in
      Scan(
        instant: Int64(index), start: -1,
        observations: heard(site.levels(at: Point(x: 2 + Double(index), y: 5))))
    }
    let outcomes = Fingerprint().locate(scans, in: known)
    for (scan, outcome) in zip(scans, outcomes) {
      #expect(outcome == Fingerprint().locate(scan.observations, in: known))
    }
  }

  @Test func `gives the height if the survey has it, and a reason otherwise`() throws {
    var site = Surveyed(generator: SeededGenerator(seed: 54), noise: 0)
    var known = surroundings(site.survey(trace: 0))
    known.dimensions = .space
    let observations = heard(site.levels(at: Point(x: 4.5, y: 6.5)))
    let answer = try Fingerprint(neighbours: 1).estimate(observations, in: known)
    #expect(isClose(try #require(answer.height), 1.45, absolute: 1e-12))
    #expect(answer.uncertainty.covariance?.vertical != nil)
    known.survey[3].height = nil
    #expect(throws: Refusal.wrongDimensions) {
      try Fingerprint().estimate(observations, in: known)
    }
    #expect(throws: Refusal.noSurvey) { try Fingerprint().estimate(observations) }
  }

  @Test func `a survey of few points or bad numbers still answers, without a covariance`() throws {
    let survey = [
      SurveyPoint(place: Point(x: 1, y: 2), levels: [Reading(time: 0, anchor: 0, rssi: -60)]),
      SurveyPoint(place: Point(x: 3, y: 2), levels: [Reading(time: 0, anchor: 0, rssi: .nan)]),
      SurveyPoint(place: Point(x: .nan, y: 2), levels: [Reading(time: 0, anchor: 0, rssi: -60)]),
      SurveyPoint(place: Point(x: 5, y: 2), levels: []),
    ]
    let answer = try Fingerprint().estimate(heard([-60, -70, -70, -70]), in: surroundings(survey))
    #expect(answer.position == Point(x: 1, y: 2))
    #expect(answer.uncertainty == .unavailable(.noErrorModel))
  }

  @Test func `no level or place, however wild, makes an answer that is not a number`() {
    let values: [Double] = [
      0, 1e-300, 1e9, -1e9, 1e150, 1e300, -1e300, .infinity, .nan, 127, -2000,
    ]
    var site = Surveyed(generator: SeededGenerator(seed: 55), noise: 4)
    let sound = site.survey(trace: 0, step: 3)
    var answered = 0
    for _ in 0..<300 {
      var survey = sound
      func value() -> Double { values.randomElement(using: &site.generator)! }
      for _ in 0..<4 {
        let index = survey.indices.randomElement(using: &site.generator)!
        switch Int.random(in: 0..<4, using: &site.generator) {
        case 0: survey[index].place.x = value()
        case 1: survey[index].height = value()
        case 2: survey[index].levels[0].rssi = value()
        default: survey[index].levels[1].anchor = Int.random(in: -1...9, using: &site.generator)
        }
      }
      var observations = heard(site.levels(at: Point(x: 4, y: 4)))
      if Bool.random(using: &site.generator) {
        observations[0].exponent = 1e300
        observations[0].rssi = value()
      }
      let outcome = Fingerprint().locate(observations, in: surroundings(survey))
      guard let p = outcome.position else { continue }
      answered += 1
      let c = outcome.covariance ?? Covariance(xx: 0, xy: 0, yy: 0)
      let isFinite = [p.x, p.y, c.xx, c.xy, c.yy].allSatisfy(\.isFinite)
      #expect(isFinite, "\(outcome)")
    }
    #expect(answered > 150)
  }

  @Test func `the number of neighbours is a whole number from 1, or auto`() throws {
    #expect(try (Algorithms.named("fingerprint:k=4") as? Fingerprint)?.neighbours == 4)
    let automatic = try #require(try Algorithms.named("fingerprint:k=auto") as? Fingerprint)
    #expect(automatic.neighbours == nil)
    for bad in ["0", "-1", "2.5", "few"] {
      #expect(throws: RSSIError.self) { try Algorithms.named("fingerprint:k=\(bad)") }
    }
  }
}
