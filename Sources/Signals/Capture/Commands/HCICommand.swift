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

  /// Lets through what a scanner needs: the default mask hides LE events (bit 61).
  ///
  /// Bits 0 to 44 as a controller has them after a reset.
  static let setEventMask = HCICommand(
    opcode: .setEventMask, parameters: UInt64(0x2000_1FFF_FFFF_FFFF).littleEndianBytes)

  /// Lets through the default LE events (bits 0 to 4, advertising report is bit 1) and the extended
  /// advertising report (bit 12).
  static let leSetEventMask = HCICommand(
    opcode: .leSetEventMask, parameters: UInt64(0x101F).littleEndianBytes)

  /// Gives a controller without an address one to transmit with: six bytes, least significant
  /// first.
  static func leSetRandomAddress(_ bits: UInt64) -> HCICommand {
    HCICommand(opcode: .leSetRandomAddress, parameters: Array(bits.littleEndianBytes.prefix(6)))
  }
}
