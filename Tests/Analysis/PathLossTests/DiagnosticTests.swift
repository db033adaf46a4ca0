import Foundation
import PathLoss
import TestSupport
import Testing

struct DiagnosticTests {
  private func codes(_ stations: [Station], _ fit: PathLossFit = PathLossFit()) -> [String] {
    fit.group(key: "k", stations).diagnostics.map(\.code)
  }

  @Test func `a clean calibration seldom gives rise to any`() {
    var generator = SeededGenerator(seed: 51)
    let runs = 100
    var counts: [String: Int] = [:]
    for _ in 0..<runs {
      for code in codes(SimulatedStations().draw(&generator)) { counts[code, default: 0] += 1 }
    }
    print("diagnostics of \(runs) clean calibrations: \(counts)")
    for code in [
      "non-constant-variance", "channel-effects", "suspected-censoring", "residual-autocorrelation",
      "few-degrees-of-freedom",
    ] {
      #expect(counts[code, default: 0] <= 6, "\(code)")
    }
    #expect(counts["under-one-decade", default: 0] == 0)
  }

  @Test func `readings that scatter more far away`() {
    var generator = SeededGenerator(seed: 52)
    var found = 0
    for _ in 0..<20 {
      var near = SimulatedStations()
      near.positionDeviation = 0.5
      near.packetDeviation = 1
      var far = near
      near.distances = Array(near.distances.prefix(10))
      far.distances = Array(far.distances.suffix(10))
      far.packetDeviation = 6
      let moved = far.draw(&generator).map { station in
        var station = station
        station.position += 100
        return station
      }
      if codes(near.draw(&generator) + moved).contains("non-constant-variance") { found += 1 }
    }
    #expect(found >= 16)
  }

  @Test func `a position that moves the exponent by more than its error, by name`() throws {
    var generator = SeededGenerator(seed: 53)
    var simulation = SimulatedStations()
    simulation.positionDeviation = 1
    var stations = simulation.draw(&generator)
    stations[19].levels = stations[19].levels.map {
      LevelCount(level: $0.level - 20, count: $0.count)
    }
    let group = PathLossFit().group(key: "k", stations)
    let found = try #require(group.diagnostics.first { $0.code == "influential-position" })
    #expect(found.message.contains("20 m"))
    // The exponent without it, to first order, which for least squares is exact.
    let without = PathLossFit().group(key: "k", Array(stations.dropLast()))
    let change = try #require(found.value)
    #expect(isClose((group.exponent ?? .nan) + change, without.exponent ?? .nan, relative: 1e-6))
  }

  @Test func `three positions with nearly all packets of twenty`() throws {
    var generator = SeededGenerator(seed: 57)
    let stations = SimulatedStations().draw(&generator).enumerated().map { number, station in
      var station = station
      if number % 8 == 0 {
        station.levels = station.levels.map { LevelCount(level: $0.level, count: $0.count * 100) }
      }
      return station
    }
    // Least squares gives each position the weight of its mean.
    #expect(!codes(stations).contains("few-degrees-of-freedom"))
    let group = PathLossFit(estimator: .huber).group(key: "k", stations)
    let found = try #require(group.diagnostics.first { $0.code == "few-degrees-of-freedom" })
    let least = [group.powerFreedom, group.exponentFreedom].compactMap(\.self).min()
    #expect(found.value == least)
    #expect(least ?? .nan < 4)
  }

  @Test func `channels that are received differently at each place`() throws {
    var generator = SeededGenerator(seed: 54)
    func stations(_ deviation: Double) -> [Station] {
      SimulatedStations().draw(&generator).map { station in
        var station = station
        station.levels = (37...39).flatMap { channel -> [LevelCount] in
          let offset = (deviation * generator.gaussian()).rounded()
          return station.levels.map {
            LevelCount(level: $0.level + offset, channel: UInt8(channel), count: $0.count)
          }
        }.sorted { ($0.level, $0.channel) < ($1.level, $1.channel) }
        return station
      }
    }
    #expect(codes(stations(3)).contains("channel-effects"))
    #expect(!codes(stations(0)).contains("channel-effects"))
  }

  @Test func `weak packets that are probably missing, until the estimator allows for it`() {
    var generator = SeededGenerator(seed: 55)
    var simulation = SimulatedStations()
    simulation.packetDeviation = 6
    simulation.positionDeviation = 0
    simulation.sensitivity = -88
    simulation.distances = (0..<20).map { pow(40, Double($0) / 19) }
    let stations = simulation.draw(&generator)
    #expect(codes(stations).contains("suspected-censoring"))
    var fit = PathLossFit(estimator: .truncated)
    fit.sensitivity = ["receiver": -88]
    #expect(!codes(stations, fit).contains("suspected-censoring"))
  }

  @Test func `readings that resemble the one before`() throws {
    var generator = SeededGenerator(seed: 56)
    var tally = StationTally()
    for place in 0..<10 {
      let slot = tally.slot(
        station: tally.number(
          of: Station(
            beacon: "b", receiver: "r", series: "s", position: UInt64(place),
            distance: pow(1.4, Double(place)))),
        channel: 255, isStay: true)
      var state = 0.0
      let levels = (0..<200).map { _ -> Float in
        state = 0.6 * state + 3 * generator.gaussian()
        return Float((-70 + state).rounded())
      }
      let none: [Float] = []
      let slots = [Int32](repeating: slot, count: 200)
      tally.add(levels: levels.span, variances: none.span, slots: slots.span)
    }
    let found = PathLossFit().group(key: "k", tally.heardStations()).diagnostics
      .first { $0.code == "residual-autocorrelation" }
    #expect(isClose(try #require(found?.value), 0.6, absolute: 0.06))
  }

  @Test func `too few distances, too short a range, exponents of no room`() {
    func line(_ distances: [Double], exponent: Double) -> [Station] {
      distances.enumerated().map { index, distance in
        Station(
          beacon: "b", receiver: "r", series: "s", position: UInt64(index), distance: distance,
          levels: [LevelCount(level: -60 - 10 * exponent * log10(distance), count: 1)])
      }
    }
    #expect(codes(line([2, 2, 2], exponent: 2)) == ["one-distance"])
    #expect(codes(line([1, 20, 20], exponent: 2)) == ["too-few-distances"])
    #expect(codes(line([1, 2, 3], exponent: 2)) == ["under-one-decade"])
    #expect(codes(line([1, 5, 20], exponent: 0.5)) == ["exponent-out-of-range"])
    #expect(codes(line([1, 5, 20], exponent: 7)) == ["exponent-out-of-range"])
    #expect(codes(line([1, 5, 20], exponent: 2)).isEmpty)
  }

  /// Stations of several receivers, or beacons, whose levels differ by constants; which positions
  /// each has is drawn, so that distances and nodes are not balanced.
  private func nodes(
    _ offsets: [Double], isBeacon: Bool = false, positions: Int = 8,
    _ generator: inout SeededGenerator
  ) -> [Station] {
    offsets.enumerated().flatMap { node, offset -> [Station] in
      var simulation = SimulatedStations()
      simulation.distances = (0..<positions).map { _ in
        pow(20, Double.random(in: 0..<1, using: &generator))
      }
      simulation.packets = 20
      simulation.power += offset
      return simulation.draw(&generator).map { station in
        var station = station
        station.position += UInt64(1000 * node)
        if isBeacon { station.beacon = "node \(node)" } else { station.receiver = "node \(node)" }
        return station
      }
    }
  }

  @Test func `equal receivers seldom get a warning, with many or few positions`() {
    var generator = SeededGenerator(seed: 57)
    for (count, positions) in [(2, 3), (3, 8), (12, 4)] {
      let runs = 300
      let found = (0..<runs).count { _ in
        let stations = nodes(
          [Double](repeating: 0, count: count), positions: positions, &generator)
        return codes(stations).contains("receiver-effects")
      }
      print(
        "\(count) receivers alike at \(positions) positions: \(found) of \(runs) said to differ")
      // The test is of 1 %: 3 ± 1.7 of 300.
      #expect(found <= 9, "\(count) receivers at \(positions) positions")
    }
  }

  @Test
  func `two receivers, or beacons, 15 dB apart get a warning with their difference`() throws {
    var generator = SeededGenerator(seed: 58)
    for isBeacon in [false, true] {
      let runs = 100
      var found: [Diagnostic] = []
      for _ in 0..<runs {
        let stations = nodes([0, 15], isBeacon: isBeacon, &generator)
        let diagnostics = PathLossFit().group(key: "k", stations).diagnostics
        #expect(
          !diagnostics.contains { $0.code == (isBeacon ? "receiver" : "beacon") + "-effects" })
        found += diagnostics.filter { $0.code == (isBeacon ? "beacon" : "receiver") + "-effects" }
      }
      print("two nodes 15 dB apart: \(found.count) of \(runs) said to differ")
      #expect(found.count >= runs * 98 / 100, "\(found.count)")
      let mean = found.compactMap(\.value).reduce(0, +) / Double(found.count)
      // Of eight positions each, with 4 dB among positions: ± 2 dB, and over all of them ± 0.15.
      #expect(isClose(mean, 15, absolute: 0.6))
      #expect(found.allSatisfy { ($0.pValue ?? 1) < 0.01 })
      #expect(found[0].message.contains("node 1 above node 0"))
    }
  }

  @Test
  func `beacons that differ by less than 3 dB get a note with the common part`() throws {
    var generator = SeededGenerator(seed: 60)
    let stations = nodes([-1, 1], isBeacon: true, positions: 300, &generator)
    let found = try #require(
      PathLossFit().group(key: "k", stations).diagnostics.first { $0.code == "device-effects" })
    // Of two at −1 and 1 dB the standard deviation is √2; each mean is known to 4/√300 = 0.23 dB.
    #expect(isClose(found.value ?? .nan, 2.0.squareRoot(), absolute: 0.7))
    #expect((found.pValue ?? 1) < 0.01)
  }

  @Test func `the probability of nodes that differ is that of an independent program`() throws {
    var generator = SeededGenerator(seed: 59)
    let stations = nodes([0, 6, 9], &generator)
    let found = try #require(
      PathLossFit().group(key: "k", stations).diagnostics.first { $0.code == "receiver-effects" })
    let expected = try reference(
      """
      from scipy import stats
      x, y, node = np.log10(rows[0]), rows[1], rows[2]
      def fitted(*columns):
          A = np.column_stack([x, *columns])
          b = np.linalg.lstsq(A, y, rcond=None)[0]
          return ((y - A @ b) ** 2).sum(), b[1:]
      one, _ = fitted(np.ones(len(x)))
      own, offsets = fitted(*[(node == k) * 1.0 for k in range(3)])
      free = len(x) - 4
      answer(stats.f.sf((one - own) / 2 / (own / free), 2, free), offsets.max() - offsets.min())
      """,
      [
        stations.map(\.distance), stations.map(\.meanLevel),
        stations.map { Double($0.receiver.suffix(1)) ?? .nan },
      ])
    #expect(isClose(try #require(found.pValue), expected[0][0], relative: 1e-6))
    #expect(isClose(try #require(found.value), expected[0][1], relative: 1e-6))
  }
}
