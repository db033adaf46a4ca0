import Foundation
import PathLoss
import TestSupport
import Testing

@Suite("Correlation of positions near each other")
struct SpatialCorrelationTests {
  /// Positions half a metre apart, of which each shares some of its offset with the one before.
  private func stations(
    correlation: Double, beacons: Int = 1, beaconDeviation: Double = 0,
    _ generator: inout SeededGenerator
  ) -> [Station] {
    var simulation = SimulatedStations()
    simulation.packets = 10
    simulation.positionDeviation = 0
    simulation.distances = (0..<24).map { 1 + 0.5 * Double($0) }
    return (0..<beacons).flatMap { beacon -> [Station] in
      simulation.power = -59 + beaconDeviation * generator.gaussian()
      var offset = 4 * generator.gaussian()
      return simulation.draw(&generator).enumerated().map { index, station in
        var station = station
        station.beacon = "b\(beacon)"
        station.position = UInt64(beacon * 100 + index)
        for cell in station.levels.indices { station.levels[cell].level += offset.rounded() }
        offset =
          correlation * offset + 4 * (1 - correlation * correlation).squareRoot()
          * generator.gaussian()
        return station
      }
    }
  }

  private func found(_ stations: [Station]) -> Diagnostic? {
    PathLossFit().group(key: "k", stations).diagnostics.first { $0.code == "spatial-correlation" }
  }

  @Test(arguments: [1, 3])
  func `is seldom found where there is none, also with offsets of beacons`(beacons: Int) {
    var generator = SeededGenerator(seed: 7)
    let count = (0..<100).count { _ in
      found(
        stations(correlation: 0, beacons: beacons, beaconDeviation: 3, &generator)) != nil
    }
    // Of 100 tests at 0.01 more than 6 occur once in 10,000.
    #expect(count <= 6)
  }

  @Test func `is found mostly where neighbours share most of their offset`() throws {
    var generator = SeededGenerator(seed: 8)
    let all = (0..<40).map { _ in found(stations(correlation: 0.8, beacons: 2, &generator)) }
    #expect(all.count { $0 != nil } >= 30)
    let one = try #require(all.compactMap(\.self).first)
    #expect(try #require(one.value) > 0 && (try #require(one.pValue)) < 0.01)
  }
}
