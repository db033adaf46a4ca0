import Foundation
import Geometry
import TestSupport
import Testing

@testable import Positioning

/// A radio map's values outside the surveyed area must not attract answers there.
struct MapBoundsTests {
  private static let anchors = [
    (0.5, 0.5), (6, 0.5), (11.5, 0.5), (0.5, 7.5), (6, 7.5), (11.5, 7.5), (3, 4), (9, 4),
  ].map { Anchor(place: Point(x: $0.0, y: $0.1), measuredPower: -59, exponent: 2, sigma: 5) }

  /// Returns the deviation of an anchor's level at a place, in dB.
  private static func shadowing(_ anchor: Int, _ place: Point) -> Double {
    2 * sin(0.6 * place.x + Double(anchor)) + 2 * cos(0.5 * place.y + 2 * Double(anchor))
  }

  private static func levels(
    at place: Point, packets: Int, using generator: inout SeededGenerator
  ) -> [Reading] {
    anchors.enumerated().map { number, anchor in
      let error = 2 * generator.gaussian() / Double(packets).squareRoot()
      return Reading(
        time: 0, anchor: number,
        rssi: anchor.expectedLevel(at: place) + shadowing(number, place) + error, packets: packets)
    }
  }

  /// A room whose left half was surveyed, in an area that is larger by some metres on all sides.
  private static func surroundings(margin: Double) throws -> Surroundings {
    var known = Surroundings()
    known.anchors = anchors
    known.bounds = Bounds(
      minimum: Point(x: -margin, y: -margin), maximum: Point(x: 12 + margin, y: 8 + margin))
    var generator = SeededGenerator(seed: 21)
    known.survey = (0..<7).flatMap { row in
      (0..<6).map { column in
        let place = Point(x: 0.5 + Double(column), y: 0.7 + 1.1 * Double(row))
        return SurveyPoint(place: place, levels: levels(at: place, packets: 8, using: &generator))
      }
    }
    known.radioMap = RadioMap(survey: known.survey, anchors: anchors)
    return known
  }

  /// A walk through the surveyed half, each anchor heard twice a second.
  private static func walk() -> (scans: [Scan], truth: [Point]) {
    let truth = (1...12).map { Point(x: 1 + 0.3 * Double($0), y: 4 + 0.1 * Double($0 % 5)) }
    var generator = SeededGenerator(seed: 22)
    let scans = truth.enumerated().map { number, place in
      let instant = Int64(number + 1) * 1_000_000_000
      let heard = levels(at: place, packets: 1, using: &generator)
      let readings = heard.map { Reading(time: instant, anchor: $0.anchor, rssi: $0.rssi) }
      return Scan(
        instant: instant, start: instant - 1_000_000_000,
        observations: heard.map {
          Observation(anchors[$0.anchor], number: $0.anchor, rssi: $0.rssi)
        },
        readings: readings)
    }
    return (scans, truth)
  }

  @Test func `the mean over a map's cells is numpy's`() throws {
    let known = try Self.surroundings(margin: 1)
    let map = try #require(known.radioMap)
    let scan = Self.walk().scans[3]
    // In numpy: cells of a quarter of a metre, and the map's level of each.
    let (columns, rows) = (56, 40)
    var cells: [[Double]] = []
    for row in 0..<rows {
      for column in 0..<columns {
        let place = Point(x: -1 + 0.25 * (Double(column) + 0.5), y: -1 + 0.25 * (Double(row) + 0.5))
        let values = Self.anchors.indices.flatMap { anchor -> [Double] in
          let (offset, variance) = map.shadowing(anchor: anchor, at: place)
          let packet = map.variation.packetNoise * map.variation.packetNoise
          let typical = map.typicalVariance(anchor: anchor) + packet
          return [
            Self.anchors[anchor].expectedLevel(at: place) + offset, variance + packet, typical,
          ]
        }
        cells.append([place.x, place.y] + values)
      }
    }
    let script = """
      levels = np.array([r for r in rows if len(r) == 8][0])
      cells = np.array([r for r in rows if len(r) != 8])
      place, expected = cells[:, :2], cells[:, 2::3]
      variance, typical = cells[:, 3::3], cells[:, 4::3]
      log = -((levels - expected) ** 2 / variance + np.log(variance)) / 2
      log = np.maximum(log, -(3.5 ** 2 + np.log(typical)) / 2).sum(1)
      w = np.exp(log - log.max())
      w /= w.sum()
      answer(*(w @ place))
      """
    let answer = try reference(script, cells + [scan.observations.map(\.rssi)])[0]
    let place = try #require(
      try Algorithms.named("gaussian-process:offset=0").locate([scan], in: known)[0].position)
    #expect(isClose(place, Point(x: answer[0], y: answer[1]), within: 0.05))
  }

  /// An unsurveyed area explains any level; a track must neither begin nor end there.
  @Test(arguments: [
    "particle-filter:map=yes", "particle-filter:map=yes,lag=2s", "grid-filter:map=yes",
  ])
  func `in a surveyed half a track stays near its target, however far the area reaches`(
    name: String
  ) throws {
    let (scans, truth) = Self.walk()
    let algorithm = try Algorithms.named(name)
    for margin in [1.0, 5, 9] {
      let known = try Self.surroundings(margin: margin)
      for (outcome, place) in zip(algorithm.locate(scans, in: known), truth) {
        let found = try #require(outcome.position)
        #expect(found.distance(to: place) < 2, "\(name) with \(margin) m: \(found) for \(place)")
      }
    }
  }
}
