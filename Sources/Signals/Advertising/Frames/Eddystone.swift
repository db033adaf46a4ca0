/// The common form of Eddystone frames: service data of UUID 0xFEAA that start with a frame type.
///
/// Decoders take the service data after the UUID's two bytes, AA FE. Frames 0x21, 0x40 and 0x41,
/// which other products send under the same UUID, are not Eddystone.
///
/// Source: Eddystone Protocol Specification, github.com/google/eddystone.
enum Eddystone {
  /// Returns a Boolean value that is true if service data are an Eddystone frame of a type.
  static func isFrame(_ data: Span<UInt8>, type: UInt8) -> Bool {
    data.count > 2 && data[0] == 0xAA && data[1] == 0xFE && data[2] == type
  }

  /// The path loss over the first metre, in dB, from the specification.
  static let firstMetre = 41

  /// Returns the power at 1 m from the power at 0 m, or `nil` if it is outside the specification's
  /// -100 to 20 dBm, or the result is below what other beacon frames can contain (-128 dBm).
  static func measuredPower(_ power0m: Int8) -> Int8? {
    (-100...20).contains(power0m) ? Int8(exactly: Int(power0m) - firstMetre) : nil
  }

  /// Returns the advertising data of a frame: flags, the list of services, the service data.
  static func advertisingData(_ frame: [UInt8]) -> [UInt8] {
    ADStructure.encode(type: ADStructure.flags, data: [0x06])
      + ADStructure.encode(type: ADStructure.completeServiceUUIDs16, data: [0xAA, 0xFE])
      + ADStructure.encode(type: ADStructure.serviceData16, data: [0xAA, 0xFE] + frame)
  }
}

/// An Eddystone-UID frame, with the identity of a beacon.
///
/// | offset | bytes | field |
/// |---|---|---|
/// | 0 | 2 | service UUID, AA FE |
/// | 2 | 1 | 0x00 |
/// | 3 | 1 | power at 0 m in dBm, signed |
/// | 4 | 10 | namespace |
/// | 14 | 6 | instance |
/// | 20 | 2 | reserved; older beacons leave them out |
///
/// Source: github.com/google/eddystone, eddystone-uid.
public struct EddystoneUID: Hashable, Sendable {
  /// The namespace that a deployment shares.
  public var namespace: Identifier<10>
  /// The identifier of a beacon in the deployment.
  public var instance: Identifier<6>
  /// The power at 0 m, in dBm.
  public var power0m: Int8
  /// The RSSI at 1 m, in dBm; `nil` if the power in the frame is implausible.
  public var measuredPower: Int8? { Eddystone.measuredPower(power0m) }

  /// Creates a frame; the power is in dBm at 0 m.
  public init(namespace: Identifier<10>, instance: Identifier<6>, power0m: Int8) {
    self.namespace = namespace
    self.instance = instance
    self.power0m = power0m
  }

  /// Decodes service data, or returns `nil` for anything else.
  public init?(serviceData data: Span<UInt8>) {
    guard Eddystone.isFrame(data, type: 0x00) else { return nil }
    guard data.count == 20 || data.count == 22 else { return nil }
    power0m = Int8(bitPattern: data[3])
    namespace = Identifier(data, at: 4)
    instance = Identifier(data, at: 14)
  }

  /// The advertising data of the frame, including reserved bytes: 31 bytes.
  public var advertisingData: [UInt8] {
    Eddystone.advertisingData(
      [0x00, UInt8(bitPattern: power0m)] + namespace.array + instance.array + [0, 0])
  }
}

/// An Eddystone-EID frame: an identifier that changes with time, except for owners of its key.
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
  /// The current identifier.
  public var id: Identifier<8>
  /// The power at 0 m, in dBm.
  public var power0m: Int8
  /// The RSSI at 1 m, in dBm; `nil` if the power in the frame is implausible.
  public var measuredPower: Int8? { Eddystone.measuredPower(power0m) }

  /// Creates a frame; the power is in dBm at 0 m.
  public init(id: Identifier<8>, power0m: Int8) {
    self.id = id
    self.power0m = power0m
  }

  /// Decodes service data, or returns `nil` for anything else.
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
