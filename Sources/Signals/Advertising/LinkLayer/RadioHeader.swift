/// The pseudo-header of link type 256, which Ubertooth, Sniffle, BladeRF and others write.
///
/// | offset | bytes | field |
/// |---|---|---|
/// | 0 | 1 | RF channel, 0 to 39 for 2402, 2404 … 2480 MHz |
/// | 1 | 1 | signal in dBm, signed |
/// | 2 | 1 | noise in dBm, not kept |
/// | 3 | 1 | bits of the access address that were wrong, not kept |
/// | 4 | 4 | access address that was expected, not kept |
/// | 8 | 2 | flags |
/// | 10 | | the packet: access address, coding indicator on LE Coded, PDU, checksum |
///
/// | bits of the flags | meaning |
/// |---|---|
/// | 0 | whitening is removed |
/// | 1 | the signal is valid; unset, there is no RSSI |
/// | 6 | the channel may be another, by aliasing |
/// | 7 to 9 | 0 advertising or data, 1 auxiliary advertising, 2 and 3 data, 4 to 6 isochronous |
/// | 10, 11 | the checksum was compared; it was right |
/// | 12, 13 | of auxiliary advertising, see `AuxiliaryType` |
/// | 14, 15 | PHY: 0 LE 1M, 1 LE 2M, 2 LE Coded |
///
/// A packet whose whitening is not removed has its checksum compared here, whatever the flags state.
///
/// Source: tcpdump.org, LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR.
enum RadioHeader {
  static let length = 10

  static func decode(_ packet: Span<UInt8>) throws(Rejection) -> LinkLayerReception {
    guard packet.count >= length else { throw .truncatedPacket }
    let flags = packet.littleEndian16(at: 8)
    var reception = LinkLayerReception()
    reception.start = length
    if flags & 1 << 1 != 0 { reception.rssi = SignalStrength.decode(packet[1]) }
    if flags & 1 << 6 == 0 { reception.channel = RadioChannel.index(ofRF: packet[0]) }
    guard flags >> 14 < 3 else { throw .reservedPHY }
    reception.phy = UInt8(flags >> 14) + 1
    if flags & 1 << 10 != 0 {
      let isValid = flags & 1 << 11 != 0
      reception.checksum = !isValid ? .invalid : flags & 1 == 0 ? .unchecked : .valid
    }
    switch flags >> 7 & 7 {
    case 0: break
    case 1:
      reception.contents = .auxiliary(
        AuxiliaryType(rawValue: UInt8(flags >> 12 & 3)) ?? .advertisement)
    default: reception.contents = .data
    }
    return reception
  }
}
