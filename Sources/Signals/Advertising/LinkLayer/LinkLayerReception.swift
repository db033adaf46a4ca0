/// What a sniffer states of a link-layer packet besides its bytes.
struct LinkLayerReception {
  /// What the sniffer found when it compared the checksum.
  enum Checksum { case unchecked, valid, invalid }

  /// Which PDUs the packet may hold.
  enum Contents: Equatable {
    /// The sniffer does not state; the access address and the channel do.
    case unstated
    /// A PDU on a secondary advertising channel.
    case auxiliary(AuxiliaryType)
    /// Data of a connection, or isochronous.
    case data
    /// Nothing: the sniffer states something of its own.
    case message
  }

  /// Received power in dBm; NaN where the sniffer did not measure it.
  var rssi: Float = .nan
  /// Channel index 0 to 39, 255 where it is not known.
  var channel: UInt8 = 255
  /// 1 LE 1M, 2 LE 2M, 3 LE Coded, as in HCI.
  var phy: UInt8 = 1
  var checksum = Checksum.unchecked
  var contents = Contents.unstated
  /// Where in the packet the access address begins.
  var start = 0

  /// Whether the packet came on channel 37, 38 or 39; nil where that is not known.
  var isPrimary: Bool? {
    if case .auxiliary = contents { return false }
    return channel == 255 ? nil : channel >= 37
  }
}

/// What a PDU of type 7 on a secondary channel is; its bytes do not state, the PDUs before it do.
enum AuxiliaryType: UInt8 {
  case advertisement = 0  // AUX_ADV_IND
  case chain = 1  // AUX_CHAIN_IND
  case sync = 2  // AUX_SYNC_IND
  case scanResponse = 3  // AUX_SCAN_RSP
}

/// What is written before the access address of each packet.
package enum LinkLayerFraming: Sendable {
  /// Nothing: link type 251.
  case none
  /// The pseudo-header of link type 256.
  case radio
  /// The header of the nRF Sniffer: link type 272.
  case nordic

  /// Reads the header of a packet.
  func reception(of packet: Span<UInt8>) throws(Rejection) -> LinkLayerReception {
    switch self {
    case .none: LinkLayerReception()
    case .radio: try RadioHeader.decode(packet)
    case .nordic: try NordicHeader.decode(packet)
    }
  }
}
