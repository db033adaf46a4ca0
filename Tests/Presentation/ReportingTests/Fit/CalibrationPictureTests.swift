import NumericalMethods
import PathLoss
import TestSupport
import Testing
import TracePipelines

@testable import Reporting

@Suite struct CalibrationPictureTests {
  private func group(_ key: String, power: Double, exponent: Double) -> PathLossGroup {
    var group = PathLossGroup(key: key, samples: 0, positions: 0)
    group.measuredPower = power
    group.exponent = exponent
    return group
  }

  private func station(
    _ distance: Double, beacon: String = "a", levels: [Double: Int] = [:]
  ) -> Station {
    var station = Station(
      beacon: beacon, receiver: "r", series: "s", position: distance.bitPattern, distance: distance)
    station.levels = levels.sorted { $0.key < $1.key }
      .map { LevelCount(level: $0.key, channel: 255, count: $0.value) }
    return station
  }

  private func curves(_ groups: [PathLossGroup], model: String = "log-distance") -> FittedCurves {
    FittedCurves(
      Calibration(
        toolVersion: "", commandLine: "", model: model, estimator: "least-squares",
        settings: FitConfiguration(), by: "beacon", groups: groups, pooled: groups[0],
        excluded: [:],
        inputs: [], stations: []), by: Grouping([.beacon]))
  }

  @Test func `a residual is what a level lies above the curve of its own group`() {
    let curves = curves([
      group("a", power: -60, exponent: 2), group("b", power: -50, exponent: 3),
    ])
    #expect(curves.residual(-75, at: station(10)) == 5)
    #expect(curves.residual(-75, at: station(10, beacon: "b")) == 5)
    #expect(curves.residual(-75, at: station(10, beacon: "c")).isNaN)
  }

  @Test func `walls take their loss off the curve, and known losses are put back`() {
    var fit = group("a", power: -60, exponent: 2)
    fit.walls = [WallLoss(kind: "brick", attenuation: 6, standardError: 1, interval: nil)]
    var behind = station(10)
    behind.walls = ["brick": 2]
    behind.knownLoss = 3
    #expect(curves([fit], model: "walls").residual(-95, at: behind) == 0)
    #expect(curves([fit]).residual(-95, at: behind) == -3)
  }

  @Test func `single readings are thinned so that each station keeps its share`() {
    let packets = PicturedPackets(
      [station(1, levels: [-60: 300]), station(8, levels: [-80: 50, -81: 50])],
      curves: curves([group("a", power: -60, exponent: 2)]), limit: 40, spread: 0)
    #expect(packets.step == 10)
    #expect(packets.levels.filter { $0 == -60 }.count == 30)
    #expect(packets.levels.count { $0 == -81 } == 5)
    #expect(packets.distances.allSatisfy { $0 == 1 || $0 == 8 })
  }

  @Test func `means of a position have the deviation of its readings`() throws {
    let stations = [station(1, levels: [-62: 1, -58: 1]), station(10, levels: [-80: 1])]
    let means = PicturedMean.means(
      stations, .init(stations), curves: curves([group("a", power: -60, exponent: 2)]))
    #expect(means.map(\.distance) == [1, 10])
    #expect(means.map(\.level) == [-60, -80])
    #expect(isClose(try #require(means[0].deviation), 8.0.squareRoot()))
    #expect(means[1].deviation == nil && means[1].residual == 0)
  }
}
