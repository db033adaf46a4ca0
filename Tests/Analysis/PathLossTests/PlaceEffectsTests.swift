import Foundation
import NumericalMethods
import TestSupport
import Testing

@testable import PathLoss

@Suite("Places that several beacons, visits or walks share")
struct PlaceEffectsTests {
  /// Beacons at the same marks: what a mark, a beacon and a stay have in common, in dB.
  private func marks(
    _ distances: [Double] = [1, 2, 3, 4, 6, 8], beacons: Int = 20, shared: Double, own: Double,
    visits: Int = 1, visit: Double = 0, _ generator: inout SeededGenerator
  ) -> [Station] {
    let offsets = distances.map { _ in shared * generator.gaussian() }
    var stations: [Station] = []
    for beacon in 0..<beacons {
      let device = beacons > 1 ? 2 * generator.gaussian() : 0
      for round in 0..<visits {
        let common = visit * generator.gaussian()
        var simulation = SimulatedStations()
        simulation.distances = distances
        simulation.positionDeviation = 0
        simulation.packets = 30
        for (index, distance) in distances.enumerated() {
          simulation.distances = [distance]
          simulation.power = -59 + offsets[index] + device + common + own * generator.gaussian()
          for var station in simulation.draw(&generator) {
            station.beacon = "b\(beacon)"
            station.position = UInt64(stations.count)
            let start = Int64(1000 * round + 10 * index) * 1_000_000_000
            station.span = start...start + 1
            stations.append(station)
          }
        }
      }
    }
    return stations
  }

  private func codes(_ group: PathLossGroup) -> Set<String> {
    Set(group.diagnostics.map(\.code))
  }

  /// The line through the means of marks, as if each beacon had measured the same curve.
  private func lineOfMarks(_ stations: [Station]) -> (exponent: Double, error: Double) {
    let means = Dictionary(grouping: stations, by: \.distance)
      .mapValues { $0.reduce(0) { $0 + $1.meanLevel } / Double($0.count) }
      .map { (x: -10 * log10($0.key), y: $0.value) }
    let count = Double(means.count)
    let (x, y) = (means.reduce(0) { $0 + $1.x } / count, means.reduce(0) { $0 + $1.y } / count)
    let xx = means.reduce(0) { $0 + ($1.x - x) * ($1.x - x) }
    let slope = means.reduce(0) { $0 + ($1.x - x) * ($1.y - y) } / xx
    let squares = means.reduce(0) { $0 + pow($1.y - y - slope * ($1.x - x), 2) }
    return (slope, (squares / (count - 2) / xx).squareRoot())
  }

  @Test func `the exponent has the error of a line through the means of shared marks`() throws {
    var generator = SeededGenerator(seed: 1)
    for seed in 0..<5 {
      let stations = marks(shared: 3, own: 1.5, &generator)
      let expected = lineOfMarks(stations)
      let group = PathLossFit().group(key: "k", stations)
      #expect(codes(group).contains("place-effects"), "\(seed)")
      #expect(group.errorBasis == .devicesPlaces)
      #expect(isClose(try #require(group.exponent), expected.exponent, relative: 1e-6))
      // Beacons add what their own stays do not have in common, up to chance.
      #expect(isClose(try #require(group.exponentError), expected.error, relative: 0.02))
      #expect(isClose(try #require(group.exponentFreedom), 4, relative: 0.05))
      let hierarchy = Hierarchy(stations, levels: [])
        .group(key: "k", beacon: nil, receiver: nil, stations)
      #expect(codes(hierarchy).contains("place-effects"))
      #expect(isClose(try #require(hierarchy.exponentError), expected.error, relative: 0.02))
    }
  }

  @Test func `places without a common effect leave the errors as they are`() {
    var generator = SeededGenerator(seed: 2)
    var (reported, widened) = (0, 0)
    for _ in 0..<100 {
      let group = PathLossFit().group(key: "k", marks(shared: 0, own: 3, &generator))
      reported += codes(group).contains("place-effects") ? 1 : 0
      widened += group.errorBasis == .beacons ? 0 : 1
    }
    print("without an effect: \(reported) of 100 reported, \(widened) clustered by place")
    // Four standard errors above 1 and 5 %.
    #expect(reported <= 5 && widened <= 14)
  }

  @Test func `intervals hold the exponent with shared marks, and with visits and poses`() {
    var generator = SeededGenerator(seed: 3)
    let designs: [(name: String, draw: (inout SeededGenerator) -> [Station])] = [
      ("marks", { marks(shared: 3, own: 1.5, &$0) }),
      (
        "visits",
        { marks([1, 1.5, 2, 3, 4, 6, 8, 12], beacons: 1, shared: 3, own: 1, visits: 4, &$0) }
      ),
      ("poses", { marks(beacons: 1, shared: 0, own: 2, visits: 4, visit: 3, &$0) }),
    ]
    for design in designs {
      let held = (0..<100).map { _ in PathLossFit().group(key: "k", design.draw(&generator)) }
      let exponent = held.count { $0.exponentInterval?.contains(2.2) == true }
      let power = held.count { $0.powerInterval?.contains(-59) == true }
      print("\(design.name): \(exponent) and \(power) of 100 intervals hold n and P")
      // Four standard errors below 95 %.
      #expect(exponent >= 86 && power >= 86)
    }
  }

  @Test func `a pose is found by its name, in any order of visits`() {
    var generator = SeededGenerator(seed: 4)
    var found = 0
    for _ in 0..<20 {
      var stations = marks(beacons: 1, shared: 0, own: 1, visits: 4, visit: 4, &generator)
      let names = ["north", "east", "south", "west"]
      for index in stations.indices {
        stations[index].pose = names[index / 6]
        // Times say nothing about the pose.
        stations[index].span = 0...0
      }
      found += codes(PathLossFit().group(key: "k", stations)).contains("pose-effects") ? 1 : 0
    }
    #expect(found >= 16)
  }

  @Test func `a two-way fit is least squares with indicators of both factors`() throws {
    var generator = SeededGenerator(seed: 5)
    let cells = (0..<60).map { _ in
      TwoWayFit.Cell(
        first: Int.random(in: 0..<9, using: &generator),
        second: Int.random(in: 0..<5, using: &generator), x: generator.gaussian(),
        y: generator.gaussian(), weight: Double.random(in: 0.5...2, using: &generator))
    }
    let script = """
      a, b, x, y, w = rows
      X = np.column_stack([a[:, None] == np.unique(a), b[:, None] == np.unique(b), x]).astype(float)
      r = np.sqrt(w)
      fit = np.linalg.lstsq(r[:, None] * X, r * y, rcond=None)
      answer(((r * (y - X @ fit[0])) ** 2).sum(), fit[2])
      """
    let expected = try reference(
      script,
      [
        cells.map { Double($0.first) }, cells.map { Double($0.second) }, cells.map(\.x),
        cells.map(\.y), cells.map(\.weight),
      ])
    let fit = try #require(TwoWayFit(cells, most: 100))
    #expect(isClose(fit.squares, expected[0][0], relative: 1e-9))
    #expect(Double(fit.rank) == expected[0][1])
  }

  @Test func `walks of one corridor share its metres`() {
    var generator = SeededGenerator(seed: 6)
    for persists in [true, false] {
      var (reported, held) = (0, 0)
      for _ in 0..<40 {
        func shadowing() -> [Double] {
          var value = 4 * generator.gaussian()
          return (0..<96).map { _ in
            value = 0.905 * value + 4 * 0.425 * generator.gaussian()
            return value
          }
        }
        let common = shadowing()
        let stations = (0..<6).flatMap { walk in
          let here = persists ? common : shadowing()
          return here.enumerated().map { index, offset -> Station in
            let x = 1 + 0.2 * Double(index)
            let level = (-59 - 22 * log10(x) + offset + 2.5 * generator.gaussian()).rounded()
            var station = Station(
              beacon: "b", receiver: "r", series: "w\(walk)", position: UInt64(walk), distance: x,
              walk: .exact, levels: [LevelCount(level: level, count: 1)])
            station.cell = [Int32(x.rounded()), 0, 0]
            return station
          }
        }
        let group = PathLossFit().group(key: "k", stations)
        reported += codes(group).contains("place-effects") ? 1 : 0
        held += group.exponentInterval?.contains(2.2) == true ? 1 : 0
      }
      print("walks, persists: \(persists): \(reported) reported, \(held) held of 40")
      #expect(persists ? reported >= 38 : reported <= 3)
      // Five standard errors below 95 %.
      #expect(held >= 31)
    }
  }
}
