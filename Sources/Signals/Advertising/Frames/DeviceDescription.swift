/// The information in an advertisement about the device that sends it.
package struct DeviceDescription: Hashable, Sendable {
  /// The complete name, else the shortened one.
  package var name: LocalName?
  /// The Bluetooth SIG identifier of the company whose data are advertised.
  ///
  /// That of an iBeacon is omitted, because all makers send these frames under Apple's.
  package var company: UInt16?
  /// The RSSI at 1 m in dBm in a beacon frame.
  package var measuredPower: Int8?
  /// The transmit power in dBm.
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
  /// The name; bytes that are not UTF-8 become U+FFFD, and control characters are kept.
  package var text: String
  /// A Boolean value that is true if it is the complete name, not a prefix.
  package var isComplete: Bool

  /// Decodes the data of a structure of a type, or returns `nil` for other types and for an empty
  /// name.
  ///
  /// Devices that advertise a field of fixed length pad it with zeros, which end the name.
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
