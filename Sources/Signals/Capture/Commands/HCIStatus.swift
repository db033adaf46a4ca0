/// What a controller states became of a command.
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

  /// The names of the codes from 0x00 on; empty where a code is reserved.
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
