import Advertising
import ArgumentParser
import Support

/// What an Eddystone beacon shows of its state.
struct TelemetryOptions: ParsableArguments {
  @Flag(help: "Also send telemetry every few seconds: uptime, number of advertisements.")
  var tlm = false

  @Option(help: ArgumentHelp("Battery voltage in mV, sent with --tlm.", valueName: "mv"))
  var battery: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Temperature in degrees Celsius, sent with --tlm.", valueName: "celsius"))
  var temperature: Double?

  /// What is to be sent; nil = nothing.
  func telemetry(with identity: BeaconIdentity) throws -> FrameSchedule.Telemetry? {
    guard tlm else {
      guard battery == nil, temperature == nil else {
        throw RSSIError(.usage, "--battery and --temperature are sent with --tlm: add it")
      }
      return nil
    }
    guard [.eddystoneUID, .eddystoneURL].contains(identity.kind) else {
      throw RSSIError(
        .usage,
        "--tlm goes with eddystone-uid and eddystone-url; an \(identity.kind.rawValue) has no "
          + "telemetry"
      )
    }
    if let battery, !(1...65535).contains(battery) {
      throw RSSIError(.usage, "--battery \(battery) cannot be sent: give 1 to 65535 mV")
    }
    // -128 is what stands for none.
    if let temperature, !(temperature > -127.998 && temperature < 127.998) {
      throw RSSIError(
        .usage,
        "--temperature \(temperature) cannot be sent: give more than -128 and less than 128")
    }
    return FrameSchedule.Telemetry(
      batteryVoltage: battery.map(UInt16.init),
      temperature256: temperature.map { Int16(($0 * 256).rounded(.toNearestOrAwayFromZero)) })
  }
}
