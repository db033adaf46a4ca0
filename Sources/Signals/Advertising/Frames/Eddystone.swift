/// What the Eddystone frames share: service data of UUID 0xFEAA that start with a frame type.
///
/// Decoders take the service data with the UUID's two bytes, AA FE, in front. Frames 0x21, 0x40 and
/// 0x41, which other products send under the same UUID, are not Eddystone.
///
/// Source: Eddystone Protocol Specification, github.com/google/eddystone.
enum Eddystone {
  /// Whether service data are an Eddystone frame of a type.
  static func isFrame(_ data: Span<UInt8>, type: UInt8) -> Bool {
    data.count > 2 && data[0] == 0xAA && data[1] == 0xFE && data[2] == type
  }

  /// What the first metre takes off a level, in dB, by the specification.
  static let firstMetre = 41

  /// Power at 1 m from the power at 0 m.
  ///
  /// Nil where the stated power is outside the specification's -100 to 20 dBm, or the result is
  /// below what the frames of other beacons can state (-128 dBm).
  static func measuredPower(_ power0m: Int8) -> Int8? {
    (-100...20).contains(power0m) ? Int8(exactly: Int(power0m) - firstMetre) : nil
  }

  /// Advertising data of a frame: flags, the list of services, the service data.
  static func advertisingData(_ frame: [UInt8]) -> [UInt8] {
    ADStructure.encode(type: ADStructure.flags, data: [0x06])
      + ADStructure.encode(type: ADStructure.completeServiceUUIDs16, data: [0xAA, 0xFE])
      + ADStructure.encode(type: ADStructure.serviceData16, data: [0xAA, 0xFE] + frame)
  }
}
