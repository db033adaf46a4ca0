import Foundation
import NumericalMethods
import PathLoss
import TestSupport
import Testing

@Suite("Errors of several beacons and receivers")
struct DeviceClustersTests {
  /// Beacons heard by receivers at places of each link, which have offsets of their own.
  private func stations(
    beacons: Int, receivers: Int, places: Int = 4, beaconDeviation: Double = 2.5,
    _ generator: inout SeededGenerator
  ) -> [Station] {
    var simulation = SimulatedStations()
    simulation.packets = 20
    let offsets = (0..<beacons).map { _ in beaconDeviation * generator.gaussian() }
    var stations: [Station] = []
    for beacon in 0..<beacons {
      for receiver in 0..<receivers {
        simulation.distances = (0..<places).map { _ in
          pow(20, Double.random(in: 0...1, using: &generator))
        }
        simulation.power = -59 + offsets[beacon]
        for var station in simulation.draw(&generator) {
          station.beacon = "b\(beacon)"
          station.receiver = "r\(receiver)"
          station.position = UInt64(stations.count)
          stations.append(station)
        }
      }
    }
    return stations
  }

  private func fitted(_ stations: [Station]) -> PathLossGroup {
    PathLossFit().group(key: "k", stations)
  }

  /// As if all that a device sends or receives were one position.
  private func joined(_ stations: [Station], by name: (Station) -> String) -> PathLossGroup {
    let names = stations.map(name)
    let known = Set(names).sorted()
    return fitted(
      stations.enumerated().map { index, station in
        var station = station
        station.position = UInt64(known.firstIndex(of: names[index]) ?? 0)
        (station.beacon, station.receiver) = ("beacon", "receiver")
        return station
      })
  }

  @Test(arguments: [5, 8, 20])
  func `are those of positions if each beacon were one`(count: Int) throws {
    var generator = SeededGenerator(seed: UInt64(count))
    let stations = stations(beacons: count, receivers: 1, &generator)
    let (group, expected) = (fitted(stations), joined(stations, by: \.beacon))
    #expect(group.errorBasis == .beacons && expected.errorBasis == .positions)
    for key in [\PathLossGroup.powerError, \.exponentError, \.powerFreedom, \.exponentFreedom] {
      let (mine, theirs) = (try #require(group[keyPath: key]), try #require(expected[keyPath: key]))
      #expect(isClose(mine, theirs, relative: 1e-9))
    }
    // Sigma is that of positions all the same.
    #expect(group.positionDeviation != expected.positionDeviation)
  }

  @Test func `covariances for both groupings are the sum of both, less that of links`() throws {
    var generator = SeededGenerator(seed: 4)
    let stations = stations(beacons: 7, receivers: 6, places: 2, &generator)
    let group = fitted(stations)
    #expect(group.errorBasis == .devices)
    let parts = [
      joined(stations, by: \.beacon), joined(stations, by: \.receiver),
      joined(stations) { $0.beacon + $0.receiver },
    ]
    for key in [\PathLossGroup.powerError, \.exponentError] {
      let squares = try parts.map { pow(try #require($0[keyPath: key]), 2) }
      let expected = max(squares[0] + squares[1] - squares[2], squares[0], squares[1])
      #expect(isClose(pow(try #require(group[keyPath: key]), 2), expected, relative: 1e-9))
    }
    let freedoms = try parts.prefix(2).map { try #require($0.powerFreedom) }
    #expect(isClose(try #require(group.powerFreedom), try #require(freedoms.min()), relative: 1e-9))
  }

  @Test func `fewer than five clusters give errors of positions, and differences are tested`() {
    var generator = SeededGenerator(seed: 5)
    let group = fitted(
      stations(beacons: 4, receivers: 1, places: 12, beaconDeviation: 6, &generator))
    #expect(group.errorBasis == .positions)
    #expect(group.diagnostics.contains { $0.code == "beacon-effects" })
  }

  @Test(.systemRun)
  func `hold the truth in 92 to 98 % of fits, with offsets of beacons and without`() {
    for deviation in [0.0, 2.5] {
      var generator = SeededGenerator(seed: 6)
      var held = [0, 0, 0]
      for _ in 0..<400 {
        let stations = stations(
          beacons: 8, receivers: 1, places: 12, beaconDeviation: deviation, &generator)
        var fit = PathLossFit()
        fit.levels = [-75]
        let group = fit.group(key: "k", stations)
        let distance = pow(10, 16.0 / 22)
        held[0] += group.exponentInterval?.contains(2.2) == true ? 1 : 0
        held[1] += group.powerInterval?.contains(-59) == true ? 1 : 0
        held[2] += group.distanceAt.first?.interval?.contains(distance) == true ? 1 : 0
      }
      print("n, P and distance held in 400 runs with offsets of \(deviation) dB: \(held)")
      // Three standard errors of the binomial about 92 and 98 %.
      for count in held { #expect((351...400).contains(count)) }
    }
  }
}
