/// An AltBeacon advertisement: manufacturer specific data of any company.
///
/// | offset | bytes | field |
/// |---|---|---|
/// | 0 | 2 | company, little endian |
/// | 2 | 2 | BE AC |
/// | 4 | 20 | beacon identifier |
/// | 24 | 1 | reference RSSI at 1 m in dBm, -127 to 0 |
/// | 25 | 1 | reserved for the manufacturer |
///
/// Source: AltBeacon Protocol Specification 1.0.
public struct AltBeacon: Hashable, Sendable {
  /// The Bluetooth SIG company identifier.
  public var company: UInt16
  /// The identifier of the beacon.
  public var id: Identifier<20>
  /// The RSSI at 1 m, in dBm.
  public var measuredPower: Int8
  /// The byte for the manufacturer's use.
  public var reserved: UInt8

  /// Creates an advertisement; the measured power is in dBm at 1 m.
  public init(company: UInt16, id: Identifier<20>, measuredPower: Int8, reserved: UInt8 = 0) {
    self.company = company
    self.id = id
    self.measuredPower = measuredPower
    self.reserved = reserved
  }

  /// Decodes manufacturer-specific data, or returns `nil` for anything else.
  public init?(manufacturerData data: Span<UInt8>) {
    guard data.count == 26 else { return nil }
    guard data[2] == 0xBE, data[3] == 0xAC else { return nil }
    company = data.littleEndian16(at: 0)
    id = Identifier(data, at: 4)
    measuredPower = Int8(bitPattern: data[24])
    reserved = data[25]
  }

  /// The advertising data of the beacon: 28 bytes, without flags, as in the specification.
  public var advertisingData: [UInt8] {
    ADStructure.encode(
      type: ADStructure.manufacturerData,
      data: company.bigEndianBytes.reversed() + [0xBE, 0xAC] + id.array
        + [UInt8(bitPattern: measuredPower), reserved])
  }
}
