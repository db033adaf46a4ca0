import Foundation
import NumericalMethods
import PathLoss
import TestSupport
import Testing

struct CalibrationTests {
  private func calibration(_ groups: [PathLossGroup]) -> Calibration {
    Calibration(
      toolVersion: "0.1.0", commandLine: "rssi fit 'a b.h5' -o c.json", model: "log-distance",
      estimator: "least-squares", settings: FitConfiguration(), by: "beacon", groups: groups,
      pooled: fitted([]), excluded: ["no-rssi": 3, "zero-distance": 1],
      inputs: [Calibration.Input(name: "a b.h5", sha256: "00ff")], stations: [])
  }

  private func whole(_ seed: UInt64) -> PathLossGroup {
    var generator = SeededGenerator(seed: seed)
    var group = fitted(readings(&generator), key: "series/beacon/receiver")
    group.series = "series"
    group.beacon = "beacon"
    group.receiver = "receiver"
    return group
  }

  private func object(_ value: some Encodable) throws -> [String: Any] {
    try #require(
      JSONSerialization.jsonObject(with: JSONEncoder().encode(value)) as? [String: Any])
  }

  @Test(arguments: 1...10)
  func `is the same after writing and reading`(seed: UInt64) throws {
    let one = Reading(rssi: -60, distance: 1, position: 1)
    for group in [whole(seed), fitted([one]), fitted([])] {
      let before = calibration([group])
      let after = try JSONDecoder().decode(Calibration.self, from: JSONEncoder().encode(before))
      #expect(after == before)
    }
  }

  @Test func `has the keys that scripts rely on`() throws {
    let json = try object(calibration([whole(1)]))
    #expect(
      Set(json.keys) == [
        "format", "format_version", "tool_version", "command_line", "model", "estimator", "by",
        "groups", "pooled", "excluded", "inputs", "settings", "stations",
      ])
    #expect(json["format"] as? String == "rssi-calibration")
    #expect(json["format_version"] as? Int == 1)
    #expect(json["model"] as? String == "log-distance")
    #expect(json["estimator"] as? String == "least-squares")
  }

  @Test func `writes every key of a group, null where there is no value`() throws {
    let keys = [
      "key", "beacon", "receiver", "series", "measured_power_dbm", "exponent", "sigma_db",
      "samples",
      "positions", "standard_error", "standard_error_basis", "ci95", "warnings", "diagnostics",
      "distances", "distance_range_m", "degrees_of_freedom", "position_sd_db", "packet_sd_db",
      "successive_sd_db",
      "covariance_measured_power_exponent_db", "distance_at", "estimation", "least_squares",
      "two_slope", "walls", "bootstrap",
    ]
    let full = try object(whole(1))
    let empty = try object(fitted([]))
    for key in keys { #expect(full[key] != nil && empty[key] != nil, "\(key)") }
    #expect(Set(full.keys) == Set(empty.keys))
    let required = ["key", "measured_power_dbm", "exponent", "sigma_db", "samples", "positions"]
    for key in required { #expect(!(full[key] is NSNull), "\(key)") }
    for key in ["beacon", "measured_power_dbm", "exponent", "sigma_db", "standard_error_basis"] {
      #expect(empty[key] is NSNull, "\(key)")
    }
    for key in ["standard_error", "ci95"] {
      let pair = try #require(empty[key] as? [String: Any])
      #expect(Set(pair.keys).isSuperset(of: ["measured_power_dbm", "exponent"]))
      #expect(pair.values.allSatisfy { $0 is NSNull })
    }
  }

  @Test func `reads constants that were written by hand, and keys that it does not know`() throws {
    let text = """
      {"key": "mine", "measured_power_dbm": -59, "exponent": 2, "sigma_db": 4, "colour": "red",
       "standard_error": null, "ci95": {"exponent": [1.8, 2.2], "colour": null}}
      """
    let group = try JSONDecoder().decode(PathLossGroup.self, from: Data(text.utf8))
    #expect(group.constants == PathLossConstants(measuredPower: -59, exponent: 2, sigma: 4))
    #expect(group.exponentInterval == Interval(lower: 1.8, upper: 2.2))
    #expect(group.powerError == nil && group.powerInterval == nil && group.warnings.isEmpty)
  }

  @Test func `a file may have keys that it does not know`() throws {
    var json = try object(calibration([]))
    json["colour"] = ["red": 1]
    let data = try JSONSerialization.data(withJSONObject: json)
    let calibration = try JSONDecoder().decode(Calibration.self, from: data)
    #expect(calibration == self.calibration([]))
  }

  @Test(
    arguments: [
      (-59, 2, 4, true), (nil, 2, 4, false), (-59, nil, 4, false), (-59, 2, nil, false),
      (-59, 0, 4, false), (-59, -1, 4, false), (-59, 2, 0, false), (-59, 2, -4, false),
      (.nan, 2, 4, false), (-59, .infinity, 4, false), (-59, 2, .nan, false),
    ] as [(Double?, Double?, Double?, Bool)])
  func `gives constants only where they give a distance`(
    power: Double?, exponent: Double?, sigma: Double?, usable: Bool
  ) {
    var group = PathLossGroup(key: "k", samples: 9, positions: 9)
    group.measuredPower = power
    group.exponent = exponent
    group.sigma = sigma
    #expect((group.constants != nil) == usable)
    #expect(!usable || group.constants?.measuredPower == power)
  }
}
