import Advertising
import Support

/// The identity and features of a controller, as it reports them.
///
/// Source: Bluetooth Core Specification 5.4, volume 4, part E, sections 6.27, 7.4 and 7.8.3;
/// volume 6, part B, section 4.6.
struct ControllerIdentity: Equatable {
  /// The public address; 0 if it has none, as many dongles.
  var address: UInt64 = 0
  /// The HCI version number; nil if it was not reported.
  var version: UInt8?
  /// The manufacturer's company identifier, assigned by the Bluetooth SIG.
  var manufacturer: UInt16?
  /// The supported commands, one bit each, in 64 octets.
  var supportedCommands: [UInt8] = []
  /// The supported features of the link layer, one bit each.
  var features: UInt64 = 0

  /// Stores the answer to one of the commands that query the controller.
  mutating func take(_ reply: CommandReply) {
    let bytes = reply.parameters
    guard reply.status == .success else { return }
    switch reply.opcode {
    case .readBDADDR where bytes.count >= 6: address = littleEndian(bytes[0..<6])
    case .readLocalVersion where bytes.count >= 6:
      version = bytes[0]
      manufacturer = UInt16(littleEndian(bytes[4..<6]))
    case .readLocalSupportedCommands: supportedCommands = bytes
    case .leReadLocalSupportedFeatures where bytes.count >= 8:
      features = littleEndian(bytes[0..<8])
    default: break
    }
  }

  /// A Boolean value that is true if the controller has the extended advertising commands: octet
  /// 36, bits 2, 3 and 5 set parameters, data and enabling; octet 37, bit 0 removes a set.
  var hasExtendedAdvertising: Bool {
    supportedCommands.count > 37 && supportedCommands[36] & 0x2C == 0x2C
      && supportedCommands[37] & 0x01 == 0x01
  }

  /// A Boolean value that is true if the controller supports the coded physical layer (feature 11).
  var hasCodedPHY: Bool { features >> 11 & 1 == 1 }
}

extension ControllerIdentity: CustomStringConvertible {
  /// The description, such as `00:AA:55:5E:00:01, Bluetooth 5.0, manufacturer 1521`.
  var description: String {
    var words: [String] = []
    if address != 0 { words.append(DeviceAddress(bits: address, type: 0).description) }
    if let version {
      let names = [
        "1.0b", "1.1", "1.2", "2.0", "2.1", "3.0", "4.0", "4.1", "4.2", "5.0", "5.1", "5.2", "5.3",
        "5.4", "6.0",
      ]
      let index = Int(version)
      words.append(index < names.count ? "Bluetooth \(names[index])" : "HCI version \(index)")
    }
    if let manufacturer { words.append("manufacturer \(manufacturer)") }
    return words.joined(separator: ", ")
  }
}
