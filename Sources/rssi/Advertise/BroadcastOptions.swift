import Advertising
import ArgumentParser
import Capture
import Support

/// Options of advertising.
struct BroadcastOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Advertising interval, 20ms to 10.24s.", valueName: "time"))
  var interval = "100ms"

  @Flag(help: "Use extended advertising, which receivers before Bluetooth 5 do not receive.")
  var extended = false

  @Option(
    help: ArgumentHelp(
      "Physical layer: 1m or coded; coded implies extended advertising.", valueName: "phys"))
  var phy = "1m"

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Maximum transmit power in dBm (default: chosen by the controller).", valueName: "dbm"))
  var txPower: Int?

  @Option(
    help: ArgumentHelp(
      "Advertising address: the controller's own (public), a random one, or a given static random address.",
      valueName: "address"))
  var address = "public"

  @Option(help: ArgumentHelp("altbeacon: company identifier, such as 0x0118.", valueName: "0xNNNN"))
  var company: String?

  func settings() throws -> BroadcastSettings {
    var settings = BroadcastSettings()
    settings.interval = try time(interval, "--interval") / .seconds(1)
    guard (0.02...10.24).contains(settings.interval) else {
      throw RSSIError(.usage, "--interval \(interval): expected 20ms to 10.24s")
    }
    guard let layer = ScanSettings.PHY(rawValue: phy.lowercased()) else {
      throw RSSIError(.usage, "--phy \(phy): expected 1m or coded")
    }
    settings.phy = layer
    settings.isExtended = extended || layer == .coded
    settings.txPower = try txPower.map { power in
      guard (-127...20).contains(power) else {
        throw RSSIError(.usage, "--tx-power \(power): expected -127 to 20 dBm")
      }
      return Int8(power)
    }
    settings.address = try chosenAddress()
    return settings
  }

  private func chosenAddress() throws -> BroadcastSettings.Address {
    switch address.lowercased() {
    case "public": return .own
    case "random": return .random
    default:
      guard let chosen = DeviceAddress(address) else {
        throw RSSIError(
          .usage, "--address \(address): expected public, random or C0:DE:00:00:00:01")
      }
      return .fixed(chosen.bits)
    }
  }

  /// Returns the company of an AltBeacon.
  func companyNumber(for identity: BeaconIdentity) throws -> UInt16 {
    guard let company else { return BeaconFrame.altBeaconCompany }
    let isHexadecimal = company.lowercased().hasPrefix("0x")
    guard
      let number = isHexadecimal ? UInt16(company.dropFirst(2), radix: 16) : UInt16(company)
    else {
      throw RSSIError(
        .usage, "--company \(company): expected 16 bits, such as 0x0118 or 280")
    }
    guard case .altBeacon = identity else {
      throw RSSIError(.usage, "--company is for an altbeacon, found \(identity)")
    }
    return number
  }
}
