/// The information of a sniffer about a link-layer packet besides its bytes.
struct LinkLayerReception {
  /// The result of the sniffer's comparison of the checksum.
  enum Checksum { case unchecked, valid, invalid }

  /// The possible PDUs in the packet.
  enum Contents: Equatable {
    /// Unknown to the sniffer; the access address and the channel determine it.
    case unknown
    /// A PDU on a secondary advertising channel.
    case auxiliary(AuxiliaryType)
    /// Data of a connection, or isochronous data.
    case data
    /// A message of the sniffer itself.
    case message
  }

  /// The received power in dBm; NaN if the sniffer did not measure it.
  var rssi: Float = .nan
  /// The channel index, 0 to 39, 255 if it is unknown.
  var channel: UInt8 = 255
  /// The PHY: 1 LE 1M, 2 LE 2M, 3 LE Coded, as in HCI.
  var phy: UInt8 = 1
  var checksum = Checksum.unchecked
  var contents = Contents.unknown
  /// The offset of the access address in the packet.
  var start = 0

  /// A Boolean value that is true if the packet came on channel 37, 38 or 39; `nil` if it is
  /// unknown.
  var isPrimary: Bool? {
    if case .auxiliary = contents { return false }
    return channel == 255 ? nil : channel >= 37
  }
}

/// The kind of a PDU of type 7 on a secondary channel, which follows from earlier PDUs, not from
/// its bytes.
enum AuxiliaryType: UInt8 {
  case advertisement = 0  // AUX_ADV_IND
  case chain = 1  // AUX_CHAIN_IND
  case sync = 2  // AUX_SYNC_IND
  case scanResponse = 3  // AUX_SCAN_RSP
}

/// The header before the access address of each packet.
package enum LinkLayerFraming: Sendable {
  /// No header: link type 251.
  case none
  /// The pseudo-header of link type 256.
  case radio
  /// The header of the nRF Sniffer: link type 272.
  case nordic

  /// Parses the header of a packet.
  func reception(of packet: Span<UInt8>) throws(Rejection) -> LinkLayerReception {
    switch self {
    case .none: LinkLayerReception()
    case .radio: try RadioHeader.decode(packet)
    case .nordic: try NordicHeader.decode(packet)
    }
  }
}

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
/// them: anything that contains a packet is one, as decided by its access address.
///
/// Source: Wireshark, epan/dissectors/packet-nordic_ble.c.
enum NordicHeader {
  static func decode(_ packet: Span<UInt8>) throws(Rejection) -> LinkLayerReception {
    guard packet.count >= 4 else { throw .truncatedPacket }
    let version = packet[3]
    guard (1...3).contains(version), packet[0] != 0xBE || packet[1] != 0xEF else {
      throw .unsupportedVersion
    }
    // Version 1 contains the length of its header after the board; later ones have a fixed length.
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
/// If the whitening is not removed, the checksum is compared here, regardless of the flags.
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
