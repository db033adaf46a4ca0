import Support

/// The two families of HCI commands for advertising.
///
/// A controller with the extended commands gets only those, for legacy PDUs too: after a command of
/// one family it disallows the other family, and the kernel uses the extended ones.
///
/// Source: Bluetooth Core Specification 5.4, volume 4, part E, sections 3.1.1, 7.8.4 to 7.8.9,
/// 7.8.52 to 7.8.59.
enum BroadcastCommands: Equatable {
  case legacy
  /// One of several advertising sets, by the handle that the host chose.
  case extended(handle: UInt8)

  /// The handles to try. The host chooses handles freely; the kernel numbers its own from 0 and
  /// manages their data, so trying from the highest down avoids those of other programs.
  static let handles = Array((0xE0...0xEF as ClosedRange<UInt8>).reversed())

  /// Returns the command that sets the interval and the address.
  func parameters(_ settings: BroadcastSettings, hasRandomAddress: Bool) -> HCICommand {
    let interval = Self.units(settings.interval)
    let ownAddress: UInt8 = hasRandomAddress ? 1 : 0
    let peer = [UInt8](repeating: 0, count: 7)
    switch self {
    case .legacy:
      let nonconnectable: UInt8 = 3
      return HCICommand(
        opcode: .leSetAdvertisingParameters,
        parameters: interval.littleEndianBytes + interval.littleEndianBytes
          + [nonconnectable, ownAddress] + peer + [Self.allChannels, 0])
    case .extended(let handle):
      // Neither connectable nor scannable; bit 4 asks for legacy PDUs.
      let properties: UInt16 = settings.isExtended ? 0x0000 : 0x0010
      let interval = interval.littleEndianBytes + [0]
      let phy: UInt8 = settings.phy == .le1M ? 1 : 3
      let txPower = UInt8(bitPattern: settings.txPower ?? 127)
      var parameters = [handle] + properties.littleEndianBytes
      parameters += interval + interval
      parameters += [Self.allChannels, ownAddress] + peer
      parameters += [0, txPower, phy, 0, phy, 0, 0]
      return HCICommand(opcode: .leSetExtendedAdvertisingParameters, parameters: parameters)
    }
  }

  /// Returns the command that sets the random address.
  func randomAddress(_ bits: UInt64) -> HCICommand {
    switch self {
    case .legacy: .leSetRandomAddress(bits)
    case .extended(let handle):
      HCICommand(
        opcode: .leSetAdvertisingSetRandomAddress,
        parameters: [handle] + bits.littleEndianBytes.prefix(6))
    }
  }

  /// Returns the command that sets the advertising data, at most 31 bytes; allowed during
  /// advertising.
  func data(_ bytes: [UInt8]) -> HCICommand {
    let bytes = Array(bytes.prefix(31))
    switch self {
    case .legacy:
      let padding = [UInt8](repeating: 0, count: 31 - bytes.count)
      return HCICommand(
        opcode: .leSetAdvertisingData, parameters: [UInt8(bytes.count)] + bytes + padding)
    case .extended(let handle):
      // Complete, not to be fragmented.
      return HCICommand(
        opcode: .leSetExtendedAdvertisingData,
        parameters: [handle, 3, 1, UInt8(bytes.count)] + bytes)
    }
  }

  /// Returns the command that starts advertising, without a time limit, or stops it.
  func enable(_ isOn: Bool) -> HCICommand {
    let enable: UInt8 = isOn ? 1 : 0
    switch self {
    case .legacy: return HCICommand(opcode: .leSetAdvertisingEnable, parameters: [enable])
    case .extended(let handle):
      return HCICommand(
        opcode: .leSetExtendedAdvertisingEnable, parameters: [enable, 1, handle, 0, 0, 0])
    }
  }

  /// The command that removes the advertising set; nil for a controller without sets.
  var removal: HCICommand? {
    guard case .extended(let handle) = self else { return nil }
    return HCICommand(opcode: .leRemoveAdvertisingSet, parameters: [handle])
  }

  /// Returns a Boolean value that is true if another program's command may have ended this
  /// broadcast.
  func isDisturbed(by opcode: Opcode) -> Bool {
    switch (self, opcode) {
    case (.legacy, .leSetAdvertisingParameters), (.legacy, .leSetAdvertisingData),
      (.legacy, .leSetAdvertisingEnable), (.extended, .leSetExtendedAdvertisingEnable),
      (.extended, .leClearAdvertisingSets):
      true
    default: false
    }
  }

  private static let allChannels: UInt8 = 0b111

  /// Returns a time in the controller's units of 0.625 ms, clamped to the range that both families
  /// allow.
  static func units(_ seconds: Double) -> UInt16 {
    UInt16(min(max((seconds / 0.000625).rounded(), 0x20), 0x4000))
  }
}
