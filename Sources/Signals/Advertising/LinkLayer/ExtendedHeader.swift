/// The payload that all extended advertising PDUs have in common.
///
/// | offset | bytes | field |
/// |---|---|---|
/// | 0 | 1 | bits 0 to 5 length of the header; 6 and 7 mode: 0 neither, 1 connectable, 2 scannable |
/// | 1 | 1 | which fields follow, absent where the length is 0 |
/// | | 6 | bit 0: advertiser's address |
/// | | 6 | bit 1: address it is directed to, not kept |
/// | | 1 | bit 2: constant tone, not kept |
/// | | 2 | bit 3: data information: 12 bits of data identifier, 4 of set identifier |
/// | | 3 | bit 4: pointer to the next PDU: bits 0 to 5 its channel; the rest is not kept |
/// | | 18 | bit 5: periodic advertising, not kept |
/// | | 1 | bit 6: transmit power in dBm, signed |
/// | | | what is left of the header is for controllers, not kept |
/// | 1 + n | | advertising data, 0 to 254 |
///
/// Source: Bluetooth Core Specification 5.4, volume 6, part B, section 2.3.4.
struct ExtendedHeader {
  /// Event type bits 0 connectable, 1 scannable, 2 directed.
  private(set) var eventType: UInt16
  private(set) var address: DeviceAddress?
  private(set) var dataInformation: UInt16?
  /// The channel of the PDU that follows, if one does.
  private(set) var nextChannel: UInt8?
  private(set) var txPower: Int8?
  /// Where in the PDU the advertising data begin.
  private(set) var dataStart: Int

  /// Whether another PDU follows.
  var isPointer: Bool { nextChannel != nil }

  /// The set identifier, 255 where there is none.
  var sid: UInt8 { dataInformation.map { UInt8($0 >> 12) } ?? 0xFF }

  /// - Parameter pdu: the PDU from its two bytes of header on.
  init(_ pdu: Span<UInt8>) throws(Rejection) {
    guard pdu.count > 2 else { throw .badLength }
    guard pdu[2] >> 6 < 3 else { throw .reservedEventType }
    eventType = UInt16(pdu[2] >> 6)
    dataStart = 3 + Int(pdu[2] & 0x3F)
    guard dataStart <= pdu.count else { throw .badLength }
    guard dataStart > 3 else { return }
    let fields = pdu[3]
    var end = 4
    /// Where a field begins if it is there.
    func start(of bit: UInt8, length: Int) -> Int? {
      guard fields & 1 << bit != 0 else { return nil }
      defer { end += length }
      return end
    }
    let address = start(of: 0, length: 6)
    let target = start(of: 1, length: 6)
    _ = start(of: 2, length: 1)
    let dataInformation = start(of: 3, length: 2)
    let pointer = start(of: 4, length: 3)
    _ = start(of: 5, length: 18)
    let txPower = start(of: 6, length: 1)
    guard end <= dataStart else { throw .badLength }
    if target != nil { eventType |= 1 << 2 }
    if let address { self.address = pdu.advertiser(at: address) }
    if let dataInformation { self.dataInformation = pdu.littleEndian16(at: dataInformation) }
    if let pointer { nextChannel = pdu[pointer] & 0x3F }
    if let txPower { self.txPower = Int8(bitPattern: pdu[txPower]) }
  }
}
