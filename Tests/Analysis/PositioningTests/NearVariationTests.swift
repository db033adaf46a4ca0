import Foundation
import Geometry
import TestSupport
import Testing

@testable import Positioning

/// The variogram of a survey's readings, against scipy and against the process that drew them.
struct NearVariationTests {
  private let anchors = [Point(x: 0, y: 0), Point(x: 30, y: 4)].map {
    Anchor(place: $0, measuredPower: -59, exponent: 2, sigma: 6, packetSigma: 2)
  }

  private let variation = LevelVariation(
    spread: 4, length: 3, anchorOffset: 1, recordingOffset: 1, placeNoise: 1, packetNoise: 5)

  /// Walks of 0.2 m per reading, whose errors have the exponential covariance of a variance in dB²
  /// and a length in metres, and packets' own errors of 2 dB.
  private func walks(_ variance: Double, over length: Double, count: Int = 4000) -> [SurveyPoint] {
    var generator = SeededGenerator(seed: 11)
    let kept = exp(-0.2 / length)
    return (0..<4).map { recording in
      var errors = anchors.map { _ in variance.squareRoot() * generator.gaussian() }
      var point = SurveyPoint(place: Point(x: 0, y: 0), levels: [], trace: recording)
      for step in 0..<count {
        let way = 0.2 * Double(step)
        let place = Point(x: 1 + way / 10, y: Double(recording))
        for (number, anchor) in anchors.enumerated() {
          errors[number] =
            kept * errors[number]
            + (variance * (1 - kept * kept)).squareRoot() * generator.gaussian()
          let packets = 1 + step % 3
          let own = 2 / Double(packets).squareRoot() * generator.gaussian()
          point.readings.append(
            PathReading(
              Reading(
                time: Int64(step) * 200_000_000, anchor: number,
                rssi: anchor.expectedLevel(at: place) + 3 + errors[number] + own, packets: packets),
              at: place, way: way))
        }
      }
      return point
    }
  }

  private func learned(_ survey: [SurveyPoint]) -> NearVariation? {
    NearVariation(survey, anchors, order: [0, 1], variation) { _, _ in 3 }
  }

  @Test(arguments: [(16.0, 1.0), (9, 2)])
  func `finds again the process that errors were drawn with`(
    _ variance: Double, _ length: Double
  ) throws {
    let found = try #require(learned(walks(variance, over: length)))
    #expect(isClose(found.deviation * found.deviation, variance, relative: 0.2), "\(found)")
    #expect(isClose(found.length, length, relative: 0.25), "\(found)")
  }

  @Test func `fits the variogram as scipy's non-negative least squares do`() throws {
    let survey = walks(12, over: 1.4, count: 150)
    let rows = survey.flatMap { point in
      point.readings.map { one in
        [
          Double(point.trace), Double(one.reading.anchor), Double(one.reading.time) / 1e9, one.way,
          one.reading.rssi - 3 - anchors[one.reading.anchor].expectedLevel(at: one.place),
          4 / Double(one.reading.packets),
        ]
      }
    }
    let script = """
      from scipy.optimize import nnls
      r = np.array(rows)
      edges = [0, .05, .15, .3, .5, .8, 1.2, 2, 3, 4]
      i, j = np.triu_indices(len(r), 1)
      keep = (r[i, 0] == r[j, 0]) & (r[i, 1] == r[j, 1]) & (abs(r[i, 2] - r[j, 2]) <= 20)
      i, j = i[keep], j[keep]
      h = abs(r[i, 3] - r[j, 3])
      g = (r[i, 4] - r[j, 4])**2 / 2 - (r[i, 5] + r[j, 5]) / 2
      bins = [(h >= a) & (h < b) for a, b in zip(edges, edges[1:])]
      bins = [b for b in bins if b.sum() >= 100]
      h, g, w = [np.array([f(b) for b in bins]) for f in
                 (lambda b: h[b].mean(), lambda b: g[b].mean(), lambda b: min(b.sum(), 1e4))]
      best = (np.inf,)
      for d in np.geomspace(0.15, 4, 2000):
          x = np.stack([np.ones(len(h)), 1 - np.exp(-h / d)], 1) * np.sqrt(w)[:, None]
          c, error = nnls(x, g * np.sqrt(w))
          best = min(best, (error, c.sum(), d))
      answer(*best[1:])
      """
    let answer = try reference(script, rows)[0]
    let found = try #require(learned(survey))
    #expect(isClose(found.deviation * found.deviation, answer[0], relative: 0.02))
    #expect(isClose(found.length, answer[1], relative: 0.04))
  }

  @Test func `is neither below the survey's own noise nor outside the lengths of a step`() throws {
    let quiet = try #require(learned(walks(0, over: 1)))
    #expect(isClose(quiet.deviation, 2.0.squareRoot()))
    #expect((0.8...3).contains(quiet.length))
    let long = try #require(learned(walks(16, over: 20)))
    #expect(long.length == 3)
  }

  @Test func `stops and few readings teach nothing`() {
    #expect(learned(walks(16, over: 1, count: 5)) == nil)
    var stops = walks(16, over: 1)
    for index in stops.indices {
      for reading in stops[index].readings.indices { stops[index].readings[reading].way = 0 }
    }
    #expect(learned(stops) == nil)
    var spoilt = walks(16, over: 1)
    for index in stops.indices {
      for reading in stops[index].readings.indices {
        spoilt[index].readings[reading].reading.rssi = .nan
      }
    }
    #expect(learned(spoilt) == nil)
  }
}
