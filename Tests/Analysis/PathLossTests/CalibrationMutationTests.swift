import Foundation
import NumericalMethods
import PathLoss
import TestSupport
import Testing

@Suite("A calibration whose JSON was altered is refused or used, and never traps")
struct CalibrationMutationTests {
  /// A calibration with every key that a fit can write.
  private static func calibration(seed: UInt64) -> Calibration {
    var generator = SeededGenerator(seed: seed)
    var simulation = SimulatedStations()
    simulation.distances = [1, 2, 3, 5, 8, 12]
    simulation.packets = 20
    var stations = simulation.draw(&generator)
    for index in stations.indices {
      stations[index].walls = ["brick": index % 2, "glass": index / 3]
      stations[index].knownLoss = 1
      stations[index].levels = stations[index].levels.map {
        LevelCount(level: $0.level, channel: 37, count: $0.count, weight: 0.5)
      }
      (stations[index].succession.pairs, stations[index].succession.squaredDifferences) = (2, 9)
    }
    stations[0].walk = .exact
    var group = PathLossFit(model: .logDistance, estimator: .huber).group(key: "pooled", stations)
    group.distanceAt = [DistanceAtLevel(level: -60, distance: 1)]
    group.distanceAt[0].interval = Interval(lower: 0.5, upper: 2)
    group.distanceAt[0].predictionInterval = Interval(lower: 0.2, upper: 4)
    var slopes = TwoSlope(
      breakpoint: 5, breakpointInterval: Interval(lower: 3, upper: 7), farExponent: 3,
      bicDifference: 1)
    slopes.farExponentInterval = Interval(lower: 2, upper: 4)
    group.twoSlope = slopes
    group.walls = [
      WallLoss(
        kind: "brick", attenuation: 6, standardError: 1, interval: Interval(lower: 4, upper: 8))
    ]
    group.channelOffsets = [ChannelOffset(receiver: "receiver", channel: 37, offset: 2)]
    group.bootstrap = BootstrapIntervals(replicates: 100, failed: 1)
    group.bootstrap?.measuredPower = Interval(lower: -61, upper: -57)
    group.bootstrap?.exponent = Interval(lower: 2, upper: 3)
    group.bootstrap?.sigma = Interval(lower: 3, upper: 5)
    return Calibration(
      toolVersion: "0", commandLine: "", model: "log-distance", estimator: "huber",
      settings: FitConfiguration(), by: "pooled", groups: [group], pooled: group,
      excluded: ["no-rssi": 1], inputs: [Calibration.Input(name: "a", sha256: "00")],
      stations: stations)
  }

  /// All that the program does with a calibration that it read.
  private func use(_ calibration: Calibration) throws {
    for group in calibration.groups + [calibration.pooled] {
      _ = group.constants
      _ = group.line?.distance(atLevel: -70)
    }
    for model in [PathLossModel.logDistance, .walls, .twoSlope] {
      for estimator in [PathLossEstimator.leastSquares, .weighted] {
        _ = PathLossFit(model: model, estimator: estimator)
          .group(key: "pooled", merged([calibration.stations, calibration.stations]))
      }
    }
    _ = try JSONEncoder().encode(calibration)
  }

  /// The documents that differ from one in one place.
  private func mutants(of value: Any) -> [Any] {
    var mutants: [Any] = [NSNull(), "", "x", -1, 0, 1e308, 9_007_199_254_740_993, true, [], [:]]
    if let list = value as? [Any] {
      mutants += [Array(list.dropFirst()), Array(list.prefix(1)), list + list]
      for index in list.indices.prefix(2) {
        mutants += self.mutants(of: list[index]).map {
          var changed = list
          changed[index] = $0
          return changed
        }
      }
    } else if let object = value as? [String: Any] {
      for (key, member) in object {
        var without = object
        without[key] = nil
        mutants.append(without)
        mutants += self.mutants(of: member).map {
          var changed = object
          changed[key] = $0
          return changed
        }
      }
    }
    return mutants
  }

  @Test(.systemRun)
  func `each value dropped, emptied, shortened or of another type`() throws {
    let data = try JSONEncoder().encode(Self.calibration(seed: 1))
    let whole = try JSONSerialization.jsonObject(with: data)
    var (used, refused) = (0, 0)
    for mutant in mutants(of: whole) where mutant is [String: Any] {
      let bytes = try JSONSerialization.data(withJSONObject: mutant)
      guard let calibration = try? JSONDecoder().decode(Calibration.self, from: bytes) else {
        refused += 1
        continue
      }
      try use(calibration)
      used += 1
    }
    #expect(used > 100 && refused > 1000)
  }

  @Test(arguments: ["channels", "weights"])
  func `an empty list of channels or weights is an absent one`(key: String) throws {
    var object = try #require(
      try JSONSerialization.jsonObject(
        with: JSONEncoder().encode(Self.calibration(seed: 2))) as? [String: Any])
    var stations = try #require(object["stations"] as? [[String: Any]])
    func decoded() throws -> Calibration {
      object["stations"] = stations
      return try JSONDecoder().decode(
        Calibration.self, from: JSONSerialization.data(withJSONObject: object))
    }
    stations[0][key] = nil
    let absent = try decoded()
    stations[0][key] = [Any]()
    #expect(try decoded() == absent)
    stations[0][key] = [1]
    #expect(throws: DecodingError.self) { try decoded() }
  }

  @Test(arguments: [
    ["ci95", "exponent"], ["ci95", "sigma_db"], ["ci95", "measured_power_dbm"],
    ["distance_range_m"], ["bootstrap", "exponent"], ["two_slope", "breakpoint_ci95_m"],
  ])
  func `an interval of another length than two is refused`(path: [String]) throws {
    var object = try #require(
      try JSONSerialization.jsonObject(
        with: JSONEncoder().encode(Self.calibration(seed: 3))) as? [String: Any])
    for list in [[], [1.0], [1, 2, 3]] {
      var group = try #require(object["pooled"] as? [String: Any])
      if path.count == 2 {
        var inner = try #require(group[path[0]] as? [String: Any])
        inner[path[1]] = list
        group[path[0]] = inner
      } else {
        group[path[0]] = list
      }
      object["groups"] = [group]
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(
          Calibration.self, from: JSONSerialization.data(withJSONObject: object))
      }
    }
  }
}
