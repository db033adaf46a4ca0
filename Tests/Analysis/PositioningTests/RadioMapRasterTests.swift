import Foundation
import Geometry
import TestSupport
import Testing

@testable import Positioning

/// A radio map cell by cell, against closed forms, draws and maps that are learned again.
@Suite struct RadioMapRasterTests {
  private let variation = LevelVariation(
    spread: 3, length: 2, anchorOffset: 1, recordingOffset: 0.5, placeNoise: 2, packetNoise: 3)
  private let anchors = [(0.0, 0.0), (10, 1), (9, 9), (1, 8)].map {
    Anchor(
      place: Point(x: $0.0, y: $0.1), heightDifference: 1.5, measuredPower: -59, exponent: 2.2,
      sigma: 5, reception: Anchor.Reception(rate: 4, sensitivity: -82))
  }

  private func survey(_ places: [Point]) -> [SurveyPoint] {
    places.map { place in
      SurveyPoint(
        place: place,
        levels: anchors.indices.map {
          Reading(
            time: 0, anchor: $0, rssi: anchors[$0].expectedLevel(at: place, height: 0), packets: 30)
        }, trace: 0)
    }
  }

  /// Levels that are those of the curves, every metre.
  private func map(of places: [Point]) throws -> RadioMap {
    try #require(RadioMap(survey: survey(places), anchors: anchors, variation: variation))
  }

  private let everywhere = (0...10).flatMap { x in
    (0...10).map { Point(x: Double(x), y: Double($0)) }
  }
  private let floor = Bounds(minimum: Point(x: 0, y: 0), maximum: Point(x: 10, y: 10))

  @Test func `cells cover the floor and are not too many`() throws {
    let map = try map(of: everywhere)
    for (width, depth) in [(10.0, 10.0), (0.05, 0.05), (300, 2), (1e5, 3e4)] {
      let raster = RadioMapRaster(
        map, anchors,
        over: Bounds(minimum: Point(x: -1, y: 2), maximum: Point(x: width - 1, y: depth + 2)))
      #expect(raster.grid.count <= RadioMapRaster.mostCells)
      #expect(Double(raster.grid.columns) * raster.grid.cell >= width * (1 - 1e-9))
      #expect(Double(raster.grid.rows) * raster.grid.cell >= depth * (1 - 1e-9))
      #expect(raster.grid.places.count == raster.received.count)
    }
  }

  private var site: Surroundings {
    var site = Surroundings()
    (site.anchors, site.bounds) = (anchors.map { Self.always($0) }, floor)
    return site
  }

  /// An estimate from precise levels reaches the bound of Cramér and Rao.
  @Test func `with precise levels the expected error is the bound`() throws {
    var precise = variation
    (precise.spread, precise.placeNoise, precise.anchorOffset) = (0.3, 0.7, 0.1)
    (precise.recordingOffset, precise.packetNoise) = (0.1, 0.5)
    let map = try #require(
      RadioMap(survey: survey(everywhere), anchors: site.anchors, variation: precise))
    #expect(map.dispersion == 1)
    let raster = RadioMapRaster(map, site.anchors, over: floor, mostCells: 225)
    let errors = raster.expectedErrors(in: site)
    var ratios: [Double] = []
    for (index, place) in raster.grid.places.enumerated()
    where (2.5...7.5).contains(place.x) && (2.5...7.5).contains(place.y) {
      let observations = site.anchors.enumerated().map { number, anchor in
        let deviation = raster.layers[number]?.deviation[index] ?? .nan
        var known = anchor
        known.sigma = (deviation * deviation - map.commonVariance).squareRoot()
        return Observation(known, number: number, rssi: -60)
      }
      let bound = try #require(
        cramerRaoBound(observations, at: place, offset: false))
      ratios.append(errors[index] / (bound.xx + bound.yy).squareRoot())
    }
    let mean = ratios.reduce(0, +) / Double(ratios.count)
    #expect(abs(mean - 1) < 0.06, "\(mean)")
    #expect(ratios.allSatisfy { (0.75...1.3).contains($0) }, "\(ratios)")
  }

  /// The answer to levels that say nothing is the middle of the floor.
  @Test func `with useless levels the expected error is the distance from the middle`() throws {
    var useless = variation
    // The survey is one recording, so that its own offset does not hide the shadowing.
    useless.recordingOffset = 200
    let map = try #require(
      RadioMap(survey: survey(everywhere), anchors: site.anchors, variation: useless))
    let raster = RadioMapRaster(map, site.anchors, over: floor, mostCells: 100)
    let errors = raster.expectedErrors(in: site)
    #expect(errors.count { $0.isFinite } > 80)
    for (index, place) in raster.grid.places.enumerated() where errors[index].isFinite {
      // The mean square over the cell and those around it, which are 1 m apart.
      let distance = place.distance(to: Point(x: 5, y: 5))
      #expect(abs(errors[index] - distance) < 1, "\(place): \(errors[index])")
    }
  }

  @Test func `expected errors are the same each time, and their number of draws is bounded`() throws
  {
    let map = try map(of: everywhere)
    let raster = RadioMapRaster(map, site.anchors, over: floor, mostCells: 36)
    let again = (0..<2).map { _ in raster.expectedErrors(in: site).map(\.bitPattern) }
    #expect(again[0] == again[1])
    #expect(SimulatedErrors(raster, site).draws == 20)
    var many = site
    many.anchors = (0..<40).map { _ in site.anchors[0] }
    let levels = everywhere.filter { $0.x == $0.y }.map { place in
      SurveyPoint(
        place: place,
        levels: many.anchors.indices.map {
          Reading(time: 0, anchor: $0, rssi: -60, packets: 30)
        })
    }
    let large = try #require(RadioMap(survey: levels, anchors: many.anchors, variation: variation))
    let fine = RadioMapRaster(large, many.anchors, over: floor)
    #expect(SimulatedErrors(fine, many).draws < 5)
  }

  private static func always(_ anchor: Anchor) -> Anchor {
    var anchor = anchor
    anchor.reception = nil
    return anchor
  }

  @Test func `anchors are received as often as drawn packets`() throws {
    let raster = RadioMapRaster(try map(of: everywhere), anchors, over: floor, mostCells: 400)
    var random = SeededGenerator(seed: 9)
    for index in stride(from: 0, to: raster.grid.places.count, by: 90) {
      // Each anchor sends 4 packets per second; those below the sensitivity are lost.
      var total = 0
      let draws = 1500
      for _ in 0..<draws {
        for layer in raster.layers {
          guard let layer else { continue }
          // Packets come by themselves: as many as a Poisson number.
          var (sent, limit, product) = (0, exp(-4.0), 1.0)
          while true {
            product *= Double.random(in: 0..<1, using: &random)
            if product < limit { break }
            sent += 1
          }
          let isReceived = (0..<sent).contains { _ in
            layer.level[index] + layer.deviation[index] * random.gaussian() > -82
          }
          total += isReceived ? 1 : 0
        }
      }
      #expect(abs(Double(total) / Double(draws) - raster.received[index]) < 0.06)
    }
    let silent = RadioMapRaster(
      try map(of: everywhere), anchors.map { Self.always($0) }, over: floor, mostCells: 400)
    #expect(silent.received.filter(\.isFinite).isEmpty)
  }

  /// A survey of which the packets of distant places are lost: what the raster expects is what was
  /// counted there.
  @Test func `anchors are received as often as in the survey`() throws {
    var random = SeededGenerator(seed: 12)
    var survey = survey(everywhere)
    for point in survey.indices {
      survey[point].levels = survey[point].levels.compactMap { level in
        let share = 1 / (1 + exp(-(level.rssi + 76) / 2))
        let packets = (0..<30).count { _ in Double.random(in: 0..<1, using: &random) < share }
        return packets == 0
          ? nil : Reading(time: 0, anchor: level.anchor, rssi: level.rssi, packets: packets)
      }
    }
    let map = try #require(RadioMap(survey: survey, anchors: anchors, variation: variation))
    let raster = RadioMapRaster(map, anchors, over: floor, mostCells: 400)
    var (expected, counted) = (0.0, 0.0)
    for point in survey
    where (0.5...9.5).contains(point.place.x) && (0.5...9.5).contains(point.place.y) {
      let nearest = raster.grid.places.indices.min {
        raster.grid.places[$0].distance(to: point.place)
          < raster.grid.places[$1].distance(to: point.place)
      }
      expected += raster.received[nearest ?? 0]
      counted += Double(point.levels.count)
    }
    #expect(counted < 0.98 * 4 * 81)
    #expect(abs(expected / counted - 1) < 0.06)
  }

  @Test func `places outside the survey stay blank`() throws {
    let raster = RadioMapRaster(
      try map(of: everywhere.filter { $0.x <= 3 }), anchors, over: floor, mostCells: 225)
    let errors = raster.expectedErrors(in: site)
    for (index, place) in raster.grid.places.enumerated() {
      let isKnown = try #require(raster.layers[0]).isKnown(index)
      if place.x < 3 { #expect(isKnown && errors[index].isFinite) }
      if place.x > 3 + 2 * variation.length { #expect(!isKnown && errors[index].isNaN) }
    }
  }

  @Test func `an anchor that was not heard has no layer`() throws {
    var survey = survey(everywhere)
    for index in survey.indices { survey[index].levels.removeAll { $0.anchor == 2 } }
    let map = try #require(RadioMap(survey: survey, anchors: anchors, variation: variation))
    let raster = RadioMapRaster(map, anchors, over: floor, mostCells: 400)
    #expect(raster.layers.map { $0 == nil } == [false, false, true, false])
  }

  @Test(arguments: [1, 2, 3])
  func `proposals teach more than places drawn at random`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    func somewhere() -> Point {
      Point(
        x: Double.random(in: 0..<10, using: &random), y: Double.random(in: 0..<10, using: &random))
    }
    let known = (0..<6).map { _ in somewhere() }
    let raster = RadioMapRaster(try map(of: known), anchors, over: floor, mostCells: 400)
    let proposals = raster.proposals(5)
    #expect(proposals.count == 5)
    /// Returns the uncertainty on the whole floor, of a map that is learned with more places.
    func open(with more: [Point]) throws -> Double {
      let raster = RadioMapRaster(try map(of: known + more), anchors, over: floor, mostCells: 100)
      let all = raster.layers.compactMap { $0?.open }.joined()
      return all.reduce(0, +) / Double(all.count)
    }
    let chosen = try open(with: proposals)
    let drawn = try (0..<8).map { _ in try open(with: (0..<5).map { _ in somewhere() }) }
    #expect(chosen < drawn.min() ?? 0)
    let half = raster.proposals(5) { $0.x < 5 }
    #expect(half.count == 5 && half.allSatisfy { $0.x < 5 })
  }
}
