/// The header of the nRF Sniffer for Bluetooth LE, link type 272, protocol versions 1 to 3.
///
/// | offset | bytes | field |
/// |---|---|---|
/// | 0 | 1 | board |
/// | 1 | 1 + 1 or 2 | version 1: length of the header, then of the rest; later: length of the rest |
/// | 3 | 1 | protocol version |
/// | 4 | 2 | packet counter, not kept |
/// | 6 | 1 | 6 packet (version 3: of a connection), 2 advertising packet (version 3); others below |
/// | 7 | 1 | length of the fields from here to the packet, 10 |
/// | 8 | 1 | flags |
/// | 9 | 1 | channel index, 0 to 39 |
/// | 10 | 1 | RSSI in dBm without its sign: 60 is -60 dBm |
/// | 11 | 2 | event counter, not kept |
/// | 13 | 4 | microseconds, since the packet before or of the sniffer's clock, not kept |
/// | 17 | | the packet: access address, coding indicator on LE Coded, PDU, checksum |
///
/// Bits of the flags: 0 the checksum is right; 1 and 2 in version 3, on a secondary advertising
/// channel, see `AuxiliaryType`; 4 to 6 PHY: 0 LE 1M, 1 LE 2M, 2 LE Coded. The sniffer always
/// compares the checksum.
///
/// Other numbers at offset 6 are messages of the sniffer, but some programs write packets under
/// them: what holds a packet is one, and its access address decides.
///
/// Source: Wireshark, epan/dissectors/packet-nordic_ble.c.
enum NordicHeader {
  static func decode(_ packet: Span<UInt8>) throws(Rejection) -> LinkLayerReception {
    guard packet.count >= 4 else { throw .truncatedPacket }
    let version = packet[3]
    guard (1...3).contains(version), packet[0] != 0xBE || packet[1] != 0xEF else {
      throw .unsupportedVersion
    }
    // Version 1 shows how long its header is behind the board; the later ones are of fixed length.
    let fields = version == 1 ? 1 + Int(packet[1]) : 7
    guard fields >= 7 else { throw .badLength }
    guard packet.count >= fields + 10 else { throw .truncatedPacket }
    let rest = version == 1 ? Int(packet[2]) : Int(packet.littleEndian16(at: 1))
    var reception = LinkLayerReception()
    let isPacket = packet[6] == 6 || packet[6] == 2 && version == 3
    if packet[6] == 6, version == 3 {
      reception.contents = .data
      return reception
    }
    let length = Int(packet[fields])
    let flags = packet[fields + 1]
    let isReservedPHY = flags >> 4 & 7 > 2
    let isWhole = packet.count >= fields + rest
    guard isPacket || length >= 10 && rest >= length + 4 && isWhole && !isReservedPHY else {
      reception.contents = .message
      return reception
    }
    guard length >= 10, rest >= length else { throw .badLength }
    guard isWhole else { throw .truncatedPacket }
    guard !isReservedPHY else { throw .reservedPHY }
    reception.start = fields + length
    reception.phy = (flags >> 4 & 7) + 1
    reception.checksum = flags & 1 == 0 ? .invalid : .valid
    let channel = packet[fields + 2]
    if channel < 40 { reception.channel = channel }
    if version == 3, channel < 37 {
      reception.contents = .auxiliary(AuxiliaryType(rawValue: flags >> 1 & 3) ?? .advertisement)
    }
    let magnitude = packet[fields + 3]
    if magnitude <= 127 { reception.rssi = Float(-Int16(magnitude)) }
    return reception
  }
}
