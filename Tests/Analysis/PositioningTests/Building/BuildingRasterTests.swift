import Foundation
import Geometry
import TestSupport
import Testing

@testable import Positioning

@Suite("Maps of buildings over their cells")
struct BuildingRasterTests {
  private let map: BuildingMap
  private let raster: BuildingRaster
  private let walks: [SimulatedBuilding.Walk]

  /// Learns from twelve walks; eight others are to be answered.
  init() throws {
    var house = SimulatedBuilding(seed: 4)
    let survey = house.walks(12, windows: 60).flatMap(\.survey)
    map = try #require(BuildingMap(house.building, survey: survey, anchors: house.anchors))
    raster = BuildingRaster(map, survey: survey)
    walks = house.walks(8, windows: 60)
  }

  @Test func `cells have the numbers of the map`() throws {
    for floor in 0..<SimulatedBuilding.floors {
      let places = raster.grids[floor].places
      let received = raster.received(on: floor)
      for index in stride(from: 0, to: places.count, by: 7) {
        let cell = try #require(map.cells.cell(at: places[index], on: floor))
        #expect(map.cells.centre(of: cell, on: floor).distance(to: places[index]) < 1e-9)
        #expect(received[index].isFinite == (map.cells.isOpen[cell] > 0))
        guard received[index].isFinite else { continue }
        // Few anchors are received for sure: with rates of Poisson processes, a cell has at most as
        // many anchors as packets.
        #expect(received[index] > 0 && received[index] <= 2 * Double(map.totalRates[cell]))
      }
    }
  }

  @Test func `levels are those about which new levels scatter`() throws {
    var (errors, count) = (0.0, 0)
    for walk in walks {
      for (scan, truth) in zip(walk.scans, walk.truth) {
        let cell = try #require(map.cells.cell(at: truth.place, on: truth.floor))
        let index = cell - map.cells.lattices[truth.floor].first
        for one in scan.observations where one.packets == 1 {
          guard let layer = raster.layer(anchor: one.number, on: truth.floor),
            layer.isKnown(index)
          else { continue }
          let error = (one.rssi - layer.level[index]) / layer.deviation[index]
          errors += error * error
          count += 1
        }
      }
    }
    #expect(count > 500)
    #expect((0.6...1.4).contains(errors / Double(count)), "\(errors / Double(count))")
  }

  @Test func `the accuracy is that of windows on other walks`() throws {
    let accuracy = raster.expectedAccuracy()
    var expected = (squares: 0.0, right: 0.0)
    var achieved = expected
    var (all, right) = (0.0, 0.0)
    for walk in walks {
      for (scan, truth) in zip(walk.scans, walk.truth) {
        let cell = try #require(map.cells.cell(at: truth.place, on: truth.floor))
        let index = cell - map.cells.lattices[truth.floor].first
        let (error, share) = (
          accuracy[truth.floor].errors[index], accuracy[truth.floor].rightFloor[index]
        )
        let estimate = try #require(map.answer(scan).estimate)
        guard error.isFinite else { continue }
        all += 1
        expected.right += share
        guard estimate.floor == truth.floor else { continue }
        right += 1
        achieved.squares += pow(estimate.position.distance(to: truth.place), 2)
        expected.squares += error * error
      }
    }
    #expect(all > 300)
    let (error, truth) = (
      (expected.squares / right).squareRoot(), (achieved.squares / right).squareRoot()
    )
    #expect((0.7...1.5).contains(error / truth), "\(error) m expected, \(truth) m achieved")
    #expect(
      abs(expected.right / all - right / all) < 0.12, "\(expected.right / all) \(right / all)")
    let again = raster.expectedAccuracy()
    #expect(
      again.map { $0.errors.map(\.bitPattern) } == accuracy.map { $0.errors.map(\.bitPattern) })
  }
}
