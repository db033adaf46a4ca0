import Foundation
import PathLoss
import TestSupport
import Testing

struct DiagnosticTests {
  private func codes(_ stations: [Station], _ fit: PathLossFit = PathLossFit()) -> [String] {
    fit.group(key: "k", stations).diagnostics.map(\.code)
  }

  @Test("a clean calibration seldom gives rise to any")
  func clean() {
    var generator = SeededGenerator(seed: 51)
    let runs = 100
    var counts: [String: Int] = [:]
    for _ in 0..<runs {
      for code in codes(SimulatedStations().draw(&generator)) { counts[code, default: 0] += 1 }
    }
    print("diagnostics of \(runs) clean calibrations: \(counts)")
    for code in [
      "non-constant-variance", "channel-effects", "suspected-censoring", "residual-autocorrelation",
    ] {
      #expect(counts[code, default: 0] <= 6, "\(code)")
    }
    #expect(counts["under-one-decade", default: 0] == 0)
  }

  @Test("readings that scatter more far away")
  func variance() {
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

  @Test("a position that moves the exponent by more than its error, by name")
  func influence() throws {
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

  @Test("channels that are received differently at each place")
  func channels() throws {
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

  @Test("weak packets that are probably missing, until the estimator allows for it")
  func censoring() {
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

  @Test("readings that resemble the one before")
  func autocorrelation() throws {
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

  @Test("too few distances, too short a range, exponents of no room")
  func distances() {
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
}
