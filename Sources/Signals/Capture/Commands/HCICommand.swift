import Support

/// A command of a host to its controller.
///
/// | offset | bytes | field |
/// |---|---|---|
/// | 0 | 2 | opcode, least significant byte first |
/// | 2 | 1 | length of the parameters |
/// | 3 | n | parameters |
///
/// Source: Bluetooth Core Specification 5.4, volume 4, part E, sections 5.4.1, 7.3, 7.4 and 7.8.
struct HCICommand: Equatable {
  var opcode: Opcode
  var parameters: [UInt8] = []

  /// The command as a transport sends it, without the H4 packet type.
  var bytes: [UInt8] {
    opcode.rawValue.littleEndianBytes + [UInt8(parameters.count)] + parameters
  }
}

extension HCICommand {
  static let reset = HCICommand(opcode: .reset)
  static let readLocalVersion = HCICommand(opcode: .readLocalVersion)
  static let readLocalSupportedCommands = HCICommand(opcode: .readLocalSupportedCommands)
  static let readBDADDR = HCICommand(opcode: .readBDADDR)
  static let leReadLocalSupportedFeatures = HCICommand(opcode: .leReadLocalSupportedFeatures)

  /// The command that enables LE events (bit 61), which the default mask hides.
  ///
  /// Bits 0 to 44 are those of a controller after a reset.
  static let setEventMask = HCICommand(
    opcode: .setEventMask, parameters: UInt64(0x2000_1FFF_FFFF_FFFF).littleEndianBytes)

  /// The command that enables the default LE events (bits 0 to 4, advertising report is bit 1) and
  /// the extended advertising report (bit 12).
  static let leSetEventMask = HCICommand(
    opcode: .leSetEventMask, parameters: UInt64(0x101F).littleEndianBytes)

  /// Returns the command that sets the random address of a controller: six bytes, least significant
  /// first.
  static func leSetRandomAddress(_ bits: UInt64) -> HCICommand {
    HCICommand(opcode: .leSetRandomAddress, parameters: Array(bits.littleEndianBytes.prefix(6)))
  }
}

/// The number of an HCI command: a group in the upper six bits, a command in the lower ten.
///
/// Source: Bluetooth Core Specification 5.4, volume 4, part E, section 5.4.1.
struct Opcode: RawRepresentable, Hashable {
  var rawValue: UInt16

  static let setEventMask = Opcode(rawValue: 0x0C01)
  static let reset = Opcode(rawValue: 0x0C03)
  static let readLocalVersion = Opcode(rawValue: 0x1001)
  static let readLocalSupportedCommands = Opcode(rawValue: 0x1002)
  static let readBDADDR = Opcode(rawValue: 0x1009)
  static let leSetEventMask = Opcode(rawValue: 0x2001)
  static let leReadLocalSupportedFeatures = Opcode(rawValue: 0x2003)
  static let leSetRandomAddress = Opcode(rawValue: 0x2005)
  static let leSetAdvertisingParameters = Opcode(rawValue: 0x2006)
  static let leReadAdvertisingTXPower = Opcode(rawValue: 0x2007)
  static let leSetAdvertisingData = Opcode(rawValue: 0x2008)
  static let leSetAdvertisingEnable = Opcode(rawValue: 0x200A)
  static let leSetScanParameters = Opcode(rawValue: 0x200B)
  static let leSetScanEnable = Opcode(rawValue: 0x200C)
  static let leSetAdvertisingSetRandomAddress = Opcode(rawValue: 0x2035)
  static let leSetExtendedAdvertisingParameters = Opcode(rawValue: 0x2036)
  static let leSetExtendedAdvertisingData = Opcode(rawValue: 0x2037)
  static let leSetExtendedAdvertisingEnable = Opcode(rawValue: 0x2039)
  static let leRemoveAdvertisingSet = Opcode(rawValue: 0x203C)
  static let leClearAdvertisingSets = Opcode(rawValue: 0x203D)
  static let leSetExtendedScanParameters = Opcode(rawValue: 0x2041)
  static let leSetExtendedScanEnable = Opcode(rawValue: 0x2042)

  /// A Boolean value that is true if the command changes the scan parameters or enables or disables
  /// scanning.
  var changesScanning: Bool {
    switch self {
    case .leSetScanParameters, .leSetScanEnable, .leSetExtendedScanParameters,
      .leSetExtendedScanEnable:
      true
    default: false
    }
  }
}

extension Opcode: CustomStringConvertible {
  /// The command's name in the specification, or its number.
  var description: String {
    switch self {
    case .setEventMask: "Set Event Mask"
    case .reset: "Reset"
    case .readLocalVersion: "Read Local Version Information"
    case .readLocalSupportedCommands: "Read Local Supported Commands"
    case .readBDADDR: "Read BD_ADDR"
    case .leSetEventMask: "LE Set Event Mask"
    case .leReadLocalSupportedFeatures: "LE Read Local Supported Features"
    case .leSetRandomAddress: "LE Set Random Address"
    case .leSetAdvertisingParameters: "LE Set Advertising Parameters"
    case .leReadAdvertisingTXPower: "LE Read Advertising Physical Channel Tx Power"
    case .leSetAdvertisingData: "LE Set Advertising Data"
    case .leSetAdvertisingEnable: "LE Set Advertising Enable"
    case .leSetScanParameters: "LE Set Scan Parameters"
    case .leSetScanEnable: "LE Set Scan Enable"
    case .leSetAdvertisingSetRandomAddress: "LE Set Advertising Set Random Address"
    case .leSetExtendedAdvertisingParameters: "LE Set Extended Advertising Parameters"
    case .leSetExtendedAdvertisingData: "LE Set Extended Advertising Data"
    case .leSetExtendedAdvertisingEnable: "LE Set Extended Advertising Enable"
    case .leRemoveAdvertisingSet: "LE Remove Advertising Set"
    case .leClearAdvertisingSets: "LE Clear Advertising Sets"
    case .leSetExtendedScanParameters: "LE Set Extended Scan Parameters"
    case .leSetExtendedScanEnable: "LE Set Extended Scan Enable"
    default: "command 0x" + String(rawValue, radix: 16)
    }
  }
}

/// The status of a command as the controller reports it.
///
/// Source: Bluetooth Core Specification 5.4, volume 1, part F, section 1.3.
struct HCIStatus: RawRepresentable, Hashable {
  var rawValue: UInt8

  static let success = HCIStatus(rawValue: 0x00)
  static let unknownCommand = HCIStatus(rawValue: 0x01)
  static let memoryCapacityExceeded = HCIStatus(rawValue: 0x07)
  static let commandDisallowed = HCIStatus(rawValue: 0x0C)
  static let unknownAdvertisingIdentifier = HCIStatus(rawValue: 0x42)
  static let limitReached = HCIStatus(rawValue: 0x43)

  /// The names of the codes from 0x00 on; empty for reserved codes.
  private static let names = [
    "Success", "Unknown HCI Command", "Unknown Connection Identifier", "Hardware Failure",
    "Page Timeout", "Authentication Failure", "PIN or Key Missing", "Memory Capacity Exceeded",
    "Connection Timeout", "Connection Limit Exceeded",
    "Synchronous Connection Limit To A Device Exceeded", "Connection Already Exists",
    "Command Disallowed", "Connection Rejected due to Limited Resources",
    "Connection Rejected Due To Security Reasons",
    "Connection Rejected due to Unacceptable BD_ADDR", "Connection Accept Timeout Exceeded",
    "Unsupported Feature or Parameter Value", "Invalid HCI Command Parameters",
    "Remote User Terminated Connection",
    "Remote Device Terminated Connection due to Low Resources",
    "Remote Device Terminated Connection due to Power Off",
    "Connection Terminated By Local Host", "Repeated Attempts", "Pairing Not Allowed",
    "Unknown LMP PDU", "Unsupported Remote Feature", "SCO Offset Rejected",
    "SCO Interval Rejected", "SCO Air Mode Rejected",
    "Invalid LMP Parameters / Invalid LL Parameters",
    "Unspecified Error", "Unsupported LMP Parameter Value / Unsupported LL Parameter Value",
    "Role Change Not Allowed", "LMP Response Timeout / LL Response Timeout",
    "LMP Error Transaction Collision / LL Procedure Collision", "LMP PDU Not Allowed",
    "Encryption Mode Not Acceptable", "Link Key cannot be Changed", "Requested QoS Not Supported",
    "Instant Passed", "Pairing With Unit Key Not Supported", "Different Transaction Collision", "",
    "QoS Unacceptable Parameter", "QoS Rejected", "Channel Classification Not Supported",
    "Insufficient Security", "Parameter Out Of Mandatory Range", "", "Role Switch Pending", "",
    "Reserved Slot Violation", "Role Switch Failed", "Extended Inquiry Response Too Large",
    "Secure Simple Pairing Not Supported By Host", "Host Busy - Pairing",
    "Connection Rejected due to No Suitable Channel Found", "Controller Busy",
    "Unacceptable Connection Parameters", "Advertising Timeout",
    "Connection Terminated due to MIC Failure",
    "Connection Failed to be Established / Synchronization Timeout", "",
    "Coarse Clock Adjustment Rejected but Will Try to Adjust Using Clock Dragging",
    "Type0 Submap Not Defined", "Unknown Advertising Identifier", "Limit Reached",
    "Operation Cancelled by Host", "Packet Too Long", "Packet Too Late", "Packet Too Early",
  ]
}

extension HCIStatus: CustomStringConvertible {
  /// The status by name and number, such as `Command Disallowed (0x0c)`.
  var description: String {
    let number = "0x" + (rawValue < 16 ? "0" : "") + String(rawValue, radix: 16)
    let index = Int(rawValue)
    guard index < Self.names.count, !Self.names[index].isEmpty else { return "status \(number)" }
    return "\(Self.names[index]) (\(number))"
  }
}
