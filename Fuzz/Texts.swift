import Advertising

@testable import Capture

/// Reads the text with which a user names beacons, a controller or a broker.
func readTexts(_ input: [UInt8]) {
  let text = String(decoding: input, as: UTF8.self)
  if let pattern = BeaconPattern(text), let identity = pattern.identity {
    precondition(pattern.matches(identity), "an identity that does not match itself")
    precondition(
      BeaconPattern(identity.description)?.identity == identity, "an identity changes when written")
  }
  if let address = DeviceAddress(text) {
    precondition(DeviceAddress(address.description) == address, "an address changes when written")
  }
  may {
    let address = try H4Address(text)
    // The speed of a serial line is not written.
    if case .serial = address { return }
    let again = try H4Address(address.description)
    precondition(again == address, "an address changes when written")
  }
  may {
    let address = try MQTTAddress(url: text)
    precondition(!address.host.isEmpty && !address.topic.isEmpty && address.user?.isEmpty != true)
    precondition((1...65_535).contains(address.port) && !address.topic.utf8.contains(0))
    precondition(address.place.hasPrefix(address.isEncrypted ? "mqtts://" : "mqtt://"))
  }
}
