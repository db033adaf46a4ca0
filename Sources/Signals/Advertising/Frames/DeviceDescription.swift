/// What an advertisement states of the device that sends it, whatever else it holds.
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
