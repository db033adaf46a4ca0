/// The statements of an advertisement on the device that sends it, whatever else it holds.
package struct DeviceDescription: Hashable, Sendable {
  /// The complete name, else the shortened one.
  package var name: LocalName?
  /// Bluetooth SIG identifier of the company whose data are advertised.
  ///
  /// That of an iBeacon is left out: every maker sends these frames under Apple's.
  package var company: UInt16?
  /// RSSI at 1 m in dBm that a beacon frame states.
  package var measuredPower: Int8?
  /// Transmitted power in dBm.
  package var txPower: Int8?

  package init() {}

  /// Decodes advertising data; of two structures of one type the first counts.
  package init(payload: Span<UInt8>) {
    measuredPower = BeaconFrame(payload: payload).measuredPower
    var structures = ADStructures()
    while let structure = structures.next(in: payload) {
      let data = payload.extracting(structure.data)
      switch structure.type {
      case ADStructure.manufacturerData where data.count >= 2 && company == nil:
        if IBeacon(manufacturerData: data) == nil { company = data.littleEndian16(at: 0) }
      case ADStructure.txPowerLevel where data.count == 1 && txPower == nil:
        txPower = Int8(bitPattern: data[0])
      default:
        guard name?.isComplete != true,
          let found = LocalName(type: structure.type, data: data), found.isComplete || name == nil
        else { continue }
        name = found
      }
    }
  }
}

/// The name that a device advertises for itself.
///
/// Source: Supplement to the Bluetooth Core Specification 11, part A, section 1.2.
package struct LocalName: Hashable, Sendable {
  /// The name; bytes that are not UTF-8 are U+FFFD, and control characters are kept.
  package var text: String
  /// A Boolean value that is true if it is the whole name, rather than its beginning.
  package var isComplete: Bool

  /// Decodes the data of a structure of a type; nil for other types and for an empty name.
  ///
  /// Devices that advertise a field of fixed length fill it with zeros, which end the name.
  init?(type: UInt8, data: Span<UInt8>) {
    switch type {
    case ADStructure.completeLocalName: isComplete = true
    case ADStructure.shortenedLocalName: isComplete = false
    default: return nil
    }
    var bytes: [UInt8] = []
    for index in data.indices {
      guard data[index] != 0 else { break }
      bytes.append(data[index])
    }
    guard !bytes.isEmpty else { return nil }
    text = String(decoding: bytes, as: UTF8.self)
  }
}
