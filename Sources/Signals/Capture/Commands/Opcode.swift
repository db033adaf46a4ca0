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

  /// Whether the command sets how a controller scans, or whether it does.
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
