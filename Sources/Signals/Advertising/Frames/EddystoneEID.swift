/// An Eddystone-EID frame: an identifier that changes with time, to anyone without its key.
///
/// | offset | bytes | field |
/// |---|---|---|
/// | 0 | 2 | service UUID, AA FE |
/// | 2 | 1 | 0x30 |
/// | 3 | 1 | power at 0 m in dBm, signed |
/// | 4 | 8 | ephemeral identifier |
///
/// Source: github.com/google/eddystone, eddystone-eid.
public struct EddystoneEID: Hashable, Sendable {
  /// The identifier of the moment.
  public var id: Identifier<8>
  /// Power at 0 m, in dBm.
  public var power0m: Int8
  /// RSSI at 1 m, in dBm; nil where the frame states a power that no radio has.
  public var measuredPower: Int8? { Eddystone.measuredPower(power0m) }

  public init(id: Identifier<8>, power0m: Int8) {
    self.id = id
    self.power0m = power0m
  }

  /// Decodes service data; nil where they are anything else.
  public init?(serviceData data: Span<UInt8>) {
    guard Eddystone.isFrame(data, type: 0x30) else { return nil }
    guard data.count == 12 else { return nil }
    power0m = Int8(bitPattern: data[3])
    id = Identifier(data, at: 4)
  }

  /// The advertising data of the frame.
  public var advertisingData: [UInt8] {
    Eddystone.advertisingData([0x30, UInt8(bitPattern: power0m)] + id.array)
  }
}
