import Advertising
import ArgumentParser

/// Which reports to keep.
struct SelectionOptions: ParsableArguments {
  @Option(help: "Keep this beacon: UUID[:MAJOR[:MINOR]], or an identity such as eddystone-uid:…; may be repeated.")
  var beacon: [String] = []

  @Option(help: "Keep this kind: ibeacon, altbeacon, eddystone-uid, …; may be repeated.")
  var kind: [String] = []

  @Option(help: "Keep this device address; may be repeated.")
  var address: [String] = []

  @Option(
    name: .customLong("min-rssi"), parsing: .unconditional,
    help: "Keep levels of at least this, in dBm; biases path-loss fits.")
  var minimumRSSI: Float?

  func selection() throws -> Selection {
    var selection = Selection()
    selection.beacons = try beacon.map { text in
      guard let pattern = BeaconPattern(text) else {
        throw Failure(
          Failure.usage,
          "\"\(text)\" is no beacon: write UUID, UUID:MAJOR, UUID:MAJOR:MINOR or an identity as `rssi export` prints it"
        )
      }
      return pattern
    }
    selection.kinds = Set(
      try kind.map { text in
        guard let kind = BeaconKind(rawValue: text) else {
          throw Failure(
            Failure.usage,
            "\"\(text)\" is no kind: choose from "
              + BeaconKind.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return kind
      })
    selection.addresses = Set(
      try address.map { text in
        guard let address = DeviceAddress(text) else {
          throw Failure(Failure.usage, "\"\(text)\" is no address: write AA:BB:CC:DD:EE:FF")
        }
        return address.bits
      })
    if let minimumRSSI, !minimumRSSI.isFinite {
      throw Failure(Failure.usage, "--min-rssi \(minimumRSSI) is no level: write dBm, such as -80")
    }
    selection.minimumRSSI = minimumRSSI
    return selection
  }
}
