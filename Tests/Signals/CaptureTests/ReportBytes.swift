import Advertising

/// HCI events of reports that differ from each other, as H4 packets.
enum ReportBytes {
  /// A legacy report, numbered in its address, with so much data.
  static func legacy(_ number: Int, data: [UInt8], rssi: Int8 = -60) -> [UInt8] {
    var parameters: [UInt8] = [0x02, 1, 0x03, 0x01]
    parameters += (0..<6).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    parameters += [UInt8(data.count)] + data + [UInt8(bitPattern: rssi)]
    return [0x04, 0x3E, UInt8(parameters.count)] + parameters
  }

  /// An extended report, numbered in its address.
  static func extended(_ number: Int, data: [UInt8], rssi: Int8 = -70) -> [UInt8] {
    var parameters: [UInt8] = [0x0D, 1, 0x00, 0x00, 0x01]
    parameters += (0..<6).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    parameters += [1, 2, 3, 4, UInt8(bitPattern: rssi)] + [UInt8](repeating: 0, count: 9)
    parameters += [UInt8(data.count)] + data
    return [0x04, 0x3E, UInt8(parameters.count)] + parameters
  }

  /// A command's answer.
  static func complete(_ opcode: UInt16, _ parameters: [UInt8]) -> [UInt8] {
    [0x04, 0x0E, UInt8(3 + parameters.count), 1, UInt8(opcode & 0xFF), UInt8(opcode >> 8)]
      + parameters
  }
}
