/// An encrypted Eddystone-TLM frame, recognised but not opened: the key is the beacon owner's.
///
/// | offset | bytes | field |
/// |---|---|---|
/// | 0 | 2 | service UUID, AA FE |
/// | 2 | 1 | 0x20 |
/// | 3 | 1 | version, 0x01 |
/// | 4 | 12 | encrypted telemetry |
/// | 16 | 2 | salt |
/// | 18 | 2 | message integrity check |
///
/// Source: github.com/google/eddystone, eddystone-tlm, tlm-encrypted.
public struct EddystoneETLM: Hashable, Sendable {
  /// Telemetry, salt and check, as received.
  public var ciphertext: Identifier<16>

  public init(ciphertext: Identifier<16>) { self.ciphertext = ciphertext }

  /// Recognises service data; nil where they are anything else.
  public init?(serviceData data: Span<UInt8>) {
    guard Eddystone.isFrame(data, type: 0x20) else { return nil }
    guard data.count == 20, data[3] == 0x01 else { return nil }
    ciphertext = Identifier(data, at: 4)
  }

  /// The advertising data of the frame.
  public var advertisingData: [UInt8] {
    Eddystone.advertisingData([0x20, 0x01] + ciphertext.array)
  }
}
