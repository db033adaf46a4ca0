import Foundation
import NumericalMethods
import PathLoss
import TestSupport
import Testing

struct HierarchyTests {
  /// Beacons and receivers with offsets of their own.
  private func stations(_ generator: inout SeededGenerator) -> [Station] {
    let beacons = (0..<12).map { _ in 2 * generator.gaussian() }
    let receivers = (0..<4).map { _ in 1.5 * generator.gaussian() }
    var simulation = SimulatedStations()
    simulation.packets = 20
    simulation.distances = [1, 3, 8]
    var position: UInt64 = 0
    return beacons.indices.flatMap { beacon in
      receivers.indices.flatMap { receiver in
        simulation.draw(&generator).map { station in
          var station = station
          position += 1
          station.position = position
          station.beacon = "b\(beacon)"
          station.receiver = "r\(receiver)"
          let offset = (beacons[beacon] + receivers[receiver]).rounded()
          station.levels = station.levels.map {
            LevelCount(level: $0.level + offset, count: $0.count)
          }
          return station
        }
      }
    }
  }

  @Test func `groups are the average beacon, one beacon, one receiver, or a link of them`() throws {
    var generator = SeededGenerator(seed: 61)
    let stations = stations(&generator)
    let hierarchy = Hierarchy(stations, levels: [-70])
    let effects = try #require(hierarchy.effects)
    #expect(effects.beacons.count == 12 && effects.receivers.count == 4)
    #expect(effects.gauge.contains("average beacon"))
    let pooled = hierarchy.group(key: "pooled", beacon: nil, receiver: nil, stations)
    let own = hierarchy.group(
      key: "b3", beacon: "b3", receiver: nil, stations.filter { $0.beacon == "b3" })
    let link = hierarchy.group(
      key: "b3/r1", beacon: "b3", receiver: "r1",
      stations.filter { $0.beacon == "b3" && $0.receiver == "r1" })
    let power = try #require(pooled.measuredPower)
    let offset = try #require(effects.beacons["b3"]).offset
    let heard = try #require(effects.receivers["r1"]).offset
    #expect(isClose(own.measuredPower ?? .nan, power + offset, relative: 1e-12))
    #expect(isClose(link.measuredPower ?? .nan, power + offset + heard, relative: 1e-12))
    #expect(own.exponent == pooled.exponent && link.exponent == pooled.exponent)
    #expect(own.powerInterval != nil && own.samples == 240)
    #expect(link.powerInterval == nil && link.diagnostics.contains { $0.code == "no-link-error" })
    // What is known of the beacon and the receiver no longer scatters.
    #expect(try #require(link.sigma) < #require(own.sigma))
    #expect(try #require(own.sigma) < #require(pooled.sigma))
    #expect(pooled.distanceAt.count == 1)
  }

  /// One fit in fifteen sees no scatter of beacons if each has six places.
  @Test(arguments: [6, 12])
  func `intervals of offsets hold those of eight beacons`(places: Int) throws {
    var generator = SeededGenerator(seed: 62)
    var simulation = SimulatedStations()
    simulation.packets = 20
    var (held, all) = (0, 0)
    for _ in 0..<40 {
      let offsets = (0..<8).map { _ in 2.5 * generator.gaussian() }
      var stations: [Station] = []
      for (beacon, offset) in offsets.enumerated() {
        simulation.power = -59 + offset
        simulation.distances = (0..<places).map { _ in
          pow(20, Double.random(in: 0...1, using: &generator))
        }
        stations += simulation.draw(&generator).enumerated().map { index, station in
          var station = station
          station.beacon = "b\(beacon)"
          station.position = UInt64(beacon * 100 + index)
          return station
        }
      }
      let effects = try #require(Hierarchy(stations, levels: []).effects)
      for (beacon, offset) in offsets.enumerated() {
        let own = try #require(effects.beacons["b\(beacon)"])
        // The eight share the error of the average beacon, which seven degrees of freedom know.
        let freedom = try #require(own.freedom)
        #expect(places == 6 || (4...9).contains(freedom))
        held += try #require(own.interval).contains(offset) ? 1 : 0
        all += 1
      }
    }
    print("\(held) of \(all) intervals hold the offset")
    // 95 % less three standard errors of 40 independent fits.
    #expect(Double(held) >= 0.85 * Double(all))
  }

  @Test func `refuses in words without enough data`() {
    var generator = SeededGenerator(seed: 62)
    let stations = stations(&generator)
    let one = Hierarchy(stations.filter { $0.distance == 1 }, levels: [])
    #expect(one.effects == nil)
    #expect(
      one.group(key: "k", beacon: nil, receiver: nil, stations).diagnostics.map(\.code) == [
        "one-distance"
      ])
    let few = Hierarchy(Array(stations.prefix(2)), levels: [])
    #expect(
      few.group(key: "k", beacon: nil, receiver: nil, stations).diagnostics.map(\.code) == [
        "not-fitted"
      ])
  }
}
