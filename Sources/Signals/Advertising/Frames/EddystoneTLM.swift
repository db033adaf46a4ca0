/// An Eddystone-TLM frame with the telemetry of a beacon, whose identity is in its other frames.
///
/// | offset | bytes | field |
/// |---|---|---|
/// | 0 | 2 | service UUID, AA FE |
/// | 2 | 1 | 0x20 |
/// | 3 | 1 | version, 0x00 |
/// | 4 | 2 | battery voltage in mV, big endian; 0 not measured |
/// | 6 | 2 | temperature in degrees Celsius, big endian, signed 8.8; 0x8000 not measured |
/// | 8 | 4 | advertisements since start, big endian |
/// | 12 | 4 | time since start in 0.1 s, big endian |
///
/// Source: github.com/google/eddystone, eddystone-tlm, tlm-plain.
public struct EddystoneTLM: Hashable, Sendable {
  /// The battery voltage, in mV; `nil` if the beacon does not measure it.
  public var batteryVoltage: UInt16?
  /// The temperature, in 1/256 degree Celsius; `nil` if the beacon does not measure it.
  public var temperature256: Int16?
  /// The number of advertisements of all frames since the beacon started.
  public var advertisementCount: UInt32
  /// The time since the beacon started, in tenths of a second.
  public var uptimeTenths: UInt32

  /// Creates a frame; a voltage of 0 and a temperature of `Int16.min` count as not measured.
  public init(
    batteryVoltage: UInt16?, temperature256: Int16?, advertisementCount: UInt32,
    uptimeTenths: UInt32
  ) {
    self.batteryVoltage = batteryVoltage == 0 ? nil : batteryVoltage
    self.temperature256 = temperature256 == .min ? nil : temperature256
    self.advertisementCount = advertisementCount
    self.uptimeTenths = uptimeTenths
  }

  /// Decodes service data, or returns `nil` for anything else.
  public init?(serviceData data: Span<UInt8>) {
    guard Eddystone.isFrame(data, type: 0x20) else { return nil }
    guard data.count == 16, data[3] == 0x00 else { return nil }
    self.init(
      batteryVoltage: data.bigEndian16(at: 4),
      temperature256: Int16(bitPattern: data.bigEndian16(at: 6)),
      advertisementCount: data.bigEndian32(at: 8),
      uptimeTenths: data.bigEndian32(at: 12))
  }

  /// The temperature, in degrees Celsius; `nil` if the beacon does not measure it.
  public var temperature: Double? { temperature256.map { Double($0) / 256 } }

  /// The advertising data of the frame.
  public var advertisingData: [UInt8] {
    Eddystone.advertisingData(
      [0x20, 0x00] + (batteryVoltage ?? 0).bigEndianBytes
        + (temperature256 ?? .min).bigEndianBytes + advertisementCount.bigEndianBytes
        + uptimeTenths.bigEndianBytes)
  }
}

/// An encrypted Eddystone-TLM frame, recognised but not decrypted: only the owner has the key.
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
  /// The telemetry, salt and check, as received.
  public var ciphertext: Identifier<16>

  /// Creates a frame from its encrypted bytes.
  public init(ciphertext: Identifier<16>) { self.ciphertext = ciphertext }

  /// Decodes service data, or returns `nil` for anything else.
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
