/// An iBeacon advertisement: manufacturer specific data of company 0x004C.
///
/// | offset | bytes | field |
/// |---|---|---|
/// | 0 | 2 | company, 4C 00 |
/// | 2 | 2 | 02 15: proximity beacon, 21 bytes follow |
/// | 4 | 16 | proximity UUID, big endian |
/// | 20 | 2 | major, big endian |
/// | 22 | 2 | minor, big endian |
/// | 24 | 1 | measured power in dBm, signed |
///
/// Source: Apple, Proximity Beacon Specification, release R1.
public struct IBeacon: Hashable, Sendable {
  /// The identifier that a deployment shares.
  public var uuid: Identifier<16>
  /// The group of the beacon.
  public var major: UInt16
  /// The number of the beacon in its group.
  public var minor: UInt16
  /// The RSSI at 1 m, in dBm.
  public var measuredPower: Int8

  /// Creates an advertisement; the measured power is in dBm at 1 m.
  public init(uuid: Identifier<16>, major: UInt16, minor: UInt16, measuredPower: Int8) {
    self.uuid = uuid
    self.major = major
    self.minor = minor
    self.measuredPower = measuredPower
  }

  /// Decodes manufacturer-specific data, or returns `nil` for anything else.
  ///
  /// The frame contains its own length (15 hexadecimal); some makers append a byte, such as the
  /// battery's level, which does not make it another beacon.
  public init?(manufacturerData data: Span<UInt8>) {
    guard data.count >= 25 else { return nil }
    guard data[0] == 0x4C, data[1] == 0x00 else { return nil }
    guard data[2] == 0x02, data[3] == 0x15 else { return nil }
    uuid = Identifier(data, at: 4)
    major = data.bigEndian16(at: 20)
    minor = data.bigEndian16(at: 22)
    measuredPower = Int8(bitPattern: data[24])
  }

  /// The advertising data of the beacon, flags first: 30 bytes.
  public var advertisingData: [UInt8] {
    let data: [UInt8] =
      [0x4C, 0x00, 0x02, 0x15] + uuid.array + major.bigEndianBytes + minor.bigEndianBytes
      + [UInt8(bitPattern: measuredPower)]
    return ADStructure.encode(type: ADStructure.flags, data: [0x06])
      + ADStructure.encode(type: ADStructure.manufacturerData, data: data)
  }
}
