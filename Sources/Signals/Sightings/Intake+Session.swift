package import Advertising

// What a session's parts are made of, and rows that come numbered from elsewhere.
extension Intake where Sink: ~Copyable {
  package mutating func append(_ part: SessionPart) { catalogue.parts.append(part) }

  package mutating func append(_ offset: SessionOffset) { catalogue.offsets.append(offset) }

  package mutating func append(_ reading: PartClockReading) { catalogue.partClocks.append(reading) }

  /// Adds a stay whose indices came from this intake, and returns its own.
  package mutating func append(_ dwell: Dwell) -> UInt32 {
    catalogue.dwells.append(dwell)
    return UInt32(catalogue.dwells.count - 1)
  }

  /// The number of an address, which is added if it is new.
  package mutating func number(of address: DeviceAddress) -> UInt32 { advertiser(address) }

  /// The number of advertising data, which are added if they are new.
  package mutating func number(of payload: Span<UInt8>) -> UInt32 {
    let slot = payloads.intern(payload)
    return payloads.number(at: slot)
  }
}
