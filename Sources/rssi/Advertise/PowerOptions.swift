import Advertising
import ArgumentParser
import PathLoss
import Support
import TracePipelines

/// Where the RSSI at 1 m is known from that a beacon states.
struct PowerOptions: ParsableArguments {
  @Option(parsing: .unconditional, help: ArgumentHelp("RSSI at 1 m in dBm.", valueName: "dbm"))
  var measuredPower: Double?

  @Option(
    help: ArgumentHelp(
      "RSSI at 1 m from a file of `rssi calibrate -o` or `rssi fit -o`.", valueName: "file"),
    completion: .file())
  var calibration: String?

  @Option(help: ArgumentHelp("Group of the calibration of `rssi fit` to use.", valueName: "name"))
  var group: String?

  /// - Throws: a usage failure where it is not stated, or stated twice.
  func power(of identity: BeaconIdentity) throws -> BeaconPower {
    guard group == nil || calibration != nil else {
      throw RSSIError(.usage, "--group is of a calibration: name it with --calibration")
    }
    switch (measuredPower, calibration) {
    case (let power?, nil):
      guard power.isFinite else {
        throw RSSIError(.usage, "--measured-power \(power) is no level: give dBm at 1 m")
      }
      return BeaconPower(value: power, source: "--measured-power")
    case (nil, let path?):
      return try BeaconPower(of: identity.description, in: path, group: group)
    case (.some, .some):
      throw RSSIError(
        .usage, "--measured-power and --calibration tell the same: give one of them")
    case (nil, nil):
      throw RSSIError(
        .usage,
        "a beacon states its RSSI at 1 m, and nobody knows this one's: measure it (`rssi "
          + "calibrate`) "
          + "and give --calibration FILE, or give --measured-power DBM; while it is being "
          + "measured, "
          + "any number does, such as -59")
    }
  }
}
