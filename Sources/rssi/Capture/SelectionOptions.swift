import Advertising
import ArgumentParser
import LivePipelines
import Registries
import Support

/// The reports to keep.
struct SelectionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Keep this beacon: UUID[:MAJOR[:MINOR]], an identity such as eddystone-uid:…, or a name in the registry or a replayed trace; repeatable.",
      valueName: "beacon"))
  var beacon: [String] = []

  @Option(
    help: ArgumentHelp(
      "Keep this kind: ibeacon, altbeacon, eddystone-uid, …; repeatable.", valueName: "kind"))
  var kind: [String] = []

  @Option(help: ArgumentHelp("Keep this device address; repeatable.", valueName: "address"))
  var address: [String] = []

  @Option(
    name: .customLong("min-rssi"), parsing: .unconditional,
    help: ArgumentHelp(
      "Keep levels of at least this many dBm; biases path-loss fits.", valueName: "dbm"))
  var minimumRSSI: Float?

  /// - Parameter registry: gives the names that `--beacon` may use.
  func selection(_ registry: Registry) throws -> ReportSelection {
    var selection = ReportSelection()
    selection.beacons = try beacon.flatMap { text in
      let patterns = try beaconPatterns(text, in: registry)
      guard patterns.isEmpty else { return patterns }
      throw RSSIError(
        .usage,
        "expected a beacon or a name in the registry or a replayed trace, found \"\(text)\"",
        in: "--beacon",
        advice: "write UUID, UUID:MAJOR, UUID:MAJOR:MINOR or an identity as `rssi export` prints it"
      )
    }
    selection.kinds = try beaconKinds(kind)
    selection.addresses = Set(
      try address.map { text in
        guard let address = DeviceAddress(text) else {
          throw RSSIError(.usage, "\"\(text)\" is not an address: write AA:BB:CC:DD:EE:FF")
        }
        return address.bits
      })
    if let minimumRSSI, !(-127...20).contains(minimumRSSI) {
      let level = plain(Double(minimumRSSI))
      let hint = (20...127).contains(minimumRSSI) ? " (did you mean -\(level)?)" : ""
      throw RSSIError(
        .usage, "expected a level from -127 to 20 dBm, found \(level)\(hint)", in: "--min-rssi")
    }
    selection.minimumRSSI = minimumRSSI
    return selection
  }
}
