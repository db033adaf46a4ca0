/// A link-layer packet of an advertising channel: access address, PDU and its right checksum.
///
/// - Parameters:
///   - header: the first byte of the PDU: type, and bits 6 and 7 for random addresses.
///   - payload: what follows the length.
///   - codingIndicator: the byte that LE Coded has behind the access address.
public func linkLayerPacket(
  header: UInt8, payload: [UInt8], codingIndicator: UInt8? = nil
) -> [UInt8] {
  let pdu = [header, UInt8(payload.count)] + payload
  return [0xD6, 0xBE, 0x89, 0x8E] + (codingIndicator.map { [$0] } ?? []) + pdu + checksum(of: pdu)
}

/// The checksum as the specification draws it: a shift register whose position 0 is bit 0 here and
/// which bits enter and leave at position 23 (Bluetooth Core Specification 5.4, volume 6, part B,
/// section 3.1.1, figure 3.4).
private func checksum(of pdu: [UInt8]) -> [UInt8] {
  var register: UInt32 = 0x555555
  for byte in pdu {
    for bit in 0..<8 {
      let feedback = register >> 23 & 1 != UInt32(byte >> bit & 1)
      // Into positions 0, 1, 3, 4, 6, 9 and 10.
      register = register << 1 & 0xFF_FFFF ^ (feedback ? 0x65B : 0)
    }
  }
  // Position 23 is sent first, and of each byte its least significant bit.
  return (0..<3).map { byte in
    (0..<8).reduce(0) { $0 | UInt8(register >> UInt32(23 - byte * 8 - $1) & 1) << $1 }
  }
}

/// The pseudo-header of link type 256 around a packet.
///
/// - Parameters:
///   - flags: whitening removed and signal valid, unless given.
public func radioPacket(
  _ packet: [UInt8], rfChannel: UInt8 = 0, signal: Int8 = -60, flags: UInt16 = 0x0003
) -> [UInt8] {
  [rfChannel, UInt8(bitPattern: signal), 0x80, 0, 0xD6, 0xBE, 0x89, 0x8E]
    + [UInt8(flags & 0xFF), UInt8(flags >> 8)] + packet
}

/// The header of link type 272, of protocol versions 1 to 3, around a packet.
public func nordicPacket(
  _ packet: [UInt8], version: UInt8 = 3, id: UInt8? = nil, channel: UInt8 = 37, rssi: UInt8 = 60,
  flags: UInt8 = 0x01
) -> [UInt8] {
  let rest = UInt8(10 + packet.count)
  let lengths = version == 1 ? [6, rest] : [rest, 0]
  let event: [UInt8] = [10, flags, channel, rssi, 0, 0, 1, 2, 3, 4]
  return [9] + lengths + [version, 0, 0, id ?? (version < 3 ? 6 : 2)] + event + packet
}
