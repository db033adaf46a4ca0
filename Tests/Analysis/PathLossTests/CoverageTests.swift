import Foundation
import NumericalMethods
import PathLoss
import TestSupport
import Testing

/// The coverage of intervals in simulated calibrations: 20 positions from 1 to 20 m with 100
/// packets each; 4 dB from position to position, 3 dB from packet to packet.
struct CoverageTests {
  private func contains(_ interval: Interval?, _ value: Double) -> Bool {
    interval?.contains(value) ?? false
  }

  @Test(.systemRun)
  func `95 % intervals cover the truth in 93 to 97 % of 1,000 calibrations`() {
    var generator = SeededGenerator(seed: 1)
    let simulation = SimulatedStations()
    var fit = PathLossFit()
    fit.levels = [-75]
    let distance = pow(10, 16.0 / 22)
    // Rounding adds 1/12 to the variance.
    let sigma = (16 + 9 + 1.0 / 12).squareRoot()
    var covered: [String: Int] = [:]
    func count(_ name: String, _ isCovered: Bool) {
      covered[name, default: 0] += isCovered ? 1 : 0
    }
    for _ in 0..<1000 {
      let group = fit.group(key: "k", simulation.draw(&generator))
      count("exponent", contains(group.exponentInterval, 2.2))
      count("power", contains(group.powerInterval, -59))
      count("sigma", contains(group.sigmaInterval, sigma))
      count("distance at -75 dBm", contains(group.distanceAt.first?.interval, distance))
      guard let line = group.line else { continue }
      let place = pow(20, Double.random(in: 0...1, using: &generator))
      let level = line.level(atDistance: place)
      let packet = -59 - 22 * log10(place) + 5 * generator.gaussian()
      let isInside = abs(packet - level.level) <= level.prediction
      count("packet", isInside)
      // The interval of the packet's distance agrees, from the other side.
      if let back = line.distance(atLevel: packet)?.predictionInterval {
        #expect(isInside == back.contains(place))
      }
    }
    print("covered in 1,000 runs: \(covered.sorted { $0.key < $1.key })")
    for name in ["exponent", "power"] {
      #expect((930...970).contains(covered[name] ?? 0), "\(name)")
    }
    // With the fewer degrees of freedom of the two constants these are a little too wide; that of
    // sigma allows for tails that few positions do not show.
    for name in ["distance at -75 dBm", "packet", "sigma"] {
      #expect((930...985).contains(covered[name] ?? 0), "\(name)")
    }
  }

  /// Returns the number of calibrations whose interval contains the exponent.
  private func covered(
    seed: UInt64, runs: Int, packets: Int, _ prepare: ([Station]) -> [Station]
  ) -> Int {
    var generator = SeededGenerator(seed: seed)
    var simulation = SimulatedStations()
    simulation.packets = packets
    return (0..<runs).count { _ in
      let stations = prepare(simulation.draw(&generator))
      return contains(PathLossFit().group(key: "k", stations).exponentInterval, 2.2)
    }
  }

  /// Four standard errors of a share of 0.95 in 300: √(0.95 × 0.05 / 300) = 0.0126.
  private let expected = 270...300

  @Test func `intervals of means of positions hold as often`() {
    let count = covered(seed: 3, runs: 300, packets: 20, PositionReduction.mean.reduce)
    print("means of positions: \(count) of 300 intervals cover the exponent")
    #expect(expected.contains(count))
  }

  @Test func `positions with very different numbers of packets do not spoil them`() {
    let count = covered(seed: 4, runs: 300, packets: 20) { stations in
      stations.enumerated().map { index, station in
        var station = station
        for cell in station.levels.indices {
          station.levels[cell].count *= [1, 1, 5, 25][index % 4]
          station.levels[cell].weight = Double(station.levels[cell].count)
        }
        return station
      }
    }
    print("unbalanced: \(count) of 300 intervals cover the exponent")
    #expect(expected.contains(count))
  }

  @Test func `the interval of sigma holds it where numbers of packets are very unequal`() {
    var generator = SeededGenerator(seed: 6)
    let runs = 300
    // The same noise a packet, so each position draws its own number.
    let count = (0..<runs).count { _ in
      var stations: [Station] = []
      for (index, packets) in [1, 5, 25].enumerated() {
        var simulation = SimulatedStations()
        simulation.packets = 20 * packets
        stations += simulation.draw(&generator).enumerated()
          .filter { $0.offset % 3 == index }.map(\.element)
      }
      let group = PathLossFit().group(key: "k", stations)
      return contains(group.sigmaInterval, (16 + 9 + 1.0 / 12).squareRoot())
    }
    print("unbalanced: \(count) of \(runs) intervals cover sigma")
    #expect(expected.contains(count))
  }

  @Test func `one position with most of the packets does not look certain`() {
    let count = covered(seed: 9, runs: 300, packets: 20) { stations in
      stations.enumerated().map { index, station in
        var station = station
        for cell in station.levels.indices {
          station.levels[cell].count *= index == 3 ? 60 : 1
          station.levels[cell].weight = Double(station.levels[cell].count)
        }
        return station
      }
    }
    print("one dominant position: \(count) of 300 intervals cover the exponent")
    #expect(expected.contains(count))
  }

  @Test func `packets that are given as positions of their own are found to share places`() {
    var generator = SeededGenerator(seed: 5)
    var simulation = SimulatedStations()
    simulation.packets = 10
    let runs = 40
    var (held, warned) = (0, 0)
    for _ in 0..<runs {
      var single: [Station] = []
      for station in simulation.draw(&generator) {
        for cell in station.levels {
          for _ in 0..<cell.count {
            single.append(
              Station(
                beacon: "b", receiver: "r", series: "s", position: UInt64(single.count),
                distance: station.distance, levels: [LevelCount(level: cell.level, count: 1)]))
          }
        }
      }
      let group = PathLossFit().group(key: "k", single)
      held += contains(group.exponentInterval, 2.2) ? 1 : 0
      warned += group.diagnostics.contains { $0.code == "place-effects" } ? 1 : 0
    }
    print("every packet by itself: \(held) of \(runs) cover the exponent, \(warned) warned")
    #expect(held >= 34 && warned >= 36)
  }

  @Test func `truncated estimates cover the exponent if 14 % of packets are lost`() {
    var simulation = SimulatedStations()
    simulation.distances = (0..<20).map { pow(40, Double($0) / 19) }
    simulation.packets = 30
    simulation.positionDeviation = 0
    simulation.packetDeviation = 6
    simulation.sensitivity = -90
    var fit = PathLossFit(estimator: .truncated)
    fit.sensitivity = ["receiver": -90]
    var generator = SeededGenerator(seed: 8)
    let runs = 100
    let count = (0..<runs).count { _ in
      contains(fit.group(key: "k", simulation.draw(&generator)).exponentInterval, 2.2)
    }
    print("truncated: \(count) of \(runs) intervals cover the exponent")
    #expect(count >= 86)
  }
}
