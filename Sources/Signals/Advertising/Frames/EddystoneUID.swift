/// An Eddystone-UID frame: who the beacon is.
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
  /// What a deployment shares.
  public var namespace: Identifier<10>
  /// A beacon of the deployment.
  public var instance: Identifier<6>
  /// Power at 0 m, in dBm.
  public var power0m: Int8
  /// RSSI at 1 m, in dBm; nil where the frame states a power that no radio has.
  public var measuredPower: Int8? { Eddystone.measuredPower(power0m) }

  public init(namespace: Identifier<10>, instance: Identifier<6>, power0m: Int8) {
    self.namespace = namespace
    self.instance = instance
    self.power0m = power0m
  }

  /// Decodes service data; nil where they are anything else.
  public init?(serviceData data: Span<UInt8>) {
    guard Eddystone.isFrame(data, type: 0x00) else { return nil }
    guard data.count == 20 || data.count == 22 else { return nil }
    power0m = Int8(bitPattern: data[3])
    namespace = Identifier(data, at: 4)
    instance = Identifier(data, at: 14)
  }

  /// The advertising data of the frame, reserved bytes included: 31 bytes.
  public var advertisingData: [UInt8] {
    Eddystone.advertisingData(
      [0x00, UInt8(bitPattern: power0m)] + namespace.array + instance.array + [0, 0])
  }
}
