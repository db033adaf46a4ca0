import Foundation
import Geometry
import Testing

@testable import Positioning

@Suite("Maps of buildings")
struct BuildingMapTests {
  private static let building = Building(floors: [.init(name: "1"), .init(name: "2")])

  /// A survey of two rooms, 40 m apart, of one floor: anchor 0 is received in the first, 1 in both.
  private static let survey: [SurveyPoint] = [0.0, 40].flatMap { x in
    (0..<50).map { number in
      var levels = [Reading(time: 0, anchor: 1, rssi: -70, packets: 4)]
      if x == 0 { levels.append(Reading(time: 0, anchor: 0, rssi: -60, packets: 8)) }
      var point = SurveyPoint(
        place: Point(x: x + Double(number % 5), y: Double(number / 5 % 3)), levels: levels,
        trace: number)
      point.seconds = 4
      return point
    }
  }

  @Test func `rates are packets per second where the survey stayed long`() throws {
    let cells = try #require(FloorCells(Self.building, survey: Self.survey))
    let surveyed = SurveyedFloors(Self.survey, anchors: 2, on: cells)
    let rates = FloorRates(seconds: surveyed.seconds, on: cells.lattices[0], side: cells.side)
    let patch = CellPatch(of: cells.lattices[0])
    func rate(_ anchor: Int, x: Double) throws -> Double {
      let heard = try #require(surveyed.heard[0].first { $0.anchor == anchor })
      let cell = try #require(cells.cell(at: Point(x: x, y: 1), on: 0))
      return Double(rates.rates(heard.heard.packets, in: patch)[cell - patch.first])
    }
    #expect(surveyed.seconds.reduce(0, +) == 400)
    #expect(abs(try rate(0, x: 2) - 2) < 0.1)
    #expect(abs(try rate(1, x: 2) - 1) < 0.05)
    #expect(abs(try rate(1, x: 42) - 1) < 0.05)
    #expect(try rate(0, x: 42) < 0.05)
  }

  /// The formula of the doc comment, with the map's own numbers.
  @Test func `the likelihood is that of the formula`() throws {
    let map = try #require(BuildingMap(Self.building, survey: Self.survey, anchors: 2))
    let cells = map.cells
    let (here, there) = (
      try #require(cells.cell(at: Point(x: 2, y: 1), on: 0)),
      try #require(cells.cell(at: Point(x: 42, y: 1), on: 0))
    )
    // Silence: only the total rates matter.
    let silent = map.logLikelihood(of: [], seconds: 2, weights: (1, 1))
    let expected =
      -log(1 + 2 * Double(map.totalRates[here])) + log(1 + 2 * Double(map.totalRates[there]))
    #expect(abs(Double(silent[here] - silent[there]) - expected) < 1e-4)
    #expect(silent[here] < silent[there])
    // The exponents multiply each part.
    let received = [BuildingMap.Received(anchor: 0, rssi: -60, packets: 4)]
    func difference(_ reception: Float, _ levels: Float) -> Double {
      let values = map.logLikelihood(of: received, seconds: 2, weights: (reception, levels))
      return Double(values[here] - values[there])
    }
    #expect(difference(1, 1) > 5)
    #expect(abs(difference(1, 1) - difference(1, 0) - difference(0, 1)) < 1e-3)
    #expect(abs(difference(0.5, 0) - difference(1, 0) / 2) < 1e-3)
  }

  @Test func `the answer does not depend on floors or anchors that were not heard`() throws {
    let map = try #require(BuildingMap(Self.building, survey: Self.survey, anchors: 2))
    let scan = Scan(
      instant: 2_000_000_000, start: 0,
      observations: [Observation(.unknown, number: 0, rssi: -60, packets: 4)])
    let estimate = try #require(map.answer(scan).estimate)
    #expect(estimate.floor == 0)
    #expect(estimate.position.distance(to: Point(x: 2, y: 1)) < 3)
    // An anchor that is not in the survey carries no information.
    var more = scan
    more.observations.append(Observation(.unknown, number: 7, rssi: -50))
    #expect(map.answer(more) == map.answer(scan))
  }

  @Test func `no surveyed place gives no map`() {
    #expect(BuildingMap(Self.building, survey: [], anchors: 2) == nil)
    var lost = SurveyPoint(place: Point(x: .nan, y: 0), levels: [])
    #expect(BuildingMap(Self.building, survey: [lost], anchors: 2) == nil)
    lost = SurveyPoint(place: Point(x: 0, y: 0), levels: [])
    lost.floor = 9
    #expect(BuildingMap(Self.building, survey: [lost], anchors: 2) == nil)
  }

  @Test func `outlines and closed rooms bound the cells`() throws {
    func square(_ low: Double, _ high: Double) -> Polygon {
      Polygon(
        name: "",
        corners: [
          Point(x: low, y: low), Point(x: high, y: low), Point(x: high, y: high),
          Point(x: low, y: high),
        ])
    }
    let building = Building(
      floors: [.init(name: "1", outline: square(0, 50), closed: [square(20, 40)])])
    var point = SurveyPoint(place: Point(x: 30, y: 30), levels: [])
    point.seconds = 1
    let cells = try #require(FloorCells(building, survey: [point]))
    func isOpen(_ x: Double, _ y: Double) -> Bool {
      cells.cell(at: Point(x: x, y: y), on: 0).map { cells.isOpen[$0] > 0 } ?? false
    }
    #expect(isOpen(10, 10) && isOpen(45, 45) && !isOpen(25, 25) && !isOpen(60, 10))
    // A surveyed cell is open, although the plan closes it.
    #expect(isOpen(30.5, 30.5))
  }

  @Test func `absurd extents take larger cells instead of memory`() throws {
    let survey = [0.0, 1e5].map { SurveyPoint(place: Point(x: $0, y: $0), levels: []) }
    let cells = try #require(FloorCells(Self.building, survey: survey))
    #expect(cells.count < 500_000 && cells.side > FloorCells.usualSide)
  }
}
