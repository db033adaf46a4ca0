/// Returns the 48 bits of an address of 12 hexadecimal digits with or without separators; nil for
/// anything else.
package func addressBits(_ text: ArraySlice<UInt8>) -> UInt64? {
  guard text.count == 12 || text.count == 17 else { return nil }
  var bits: UInt64 = 0
  for (position, byte) in text.enumerated() {
    if text.count == 17, position % 3 == 2 {
      guard byte == UInt8(ascii: ":") || byte == UInt8(ascii: "-") else { return nil }
    } else {
      guard let digit = hexadecimalValue(byte) else { return nil }
      bits = bits << 4 | UInt64(digit)
    }
  }
  return bits
}

/// Functions that form names of `BeaconIdentity` from the texts of gateways and
/// phones.
package enum BeaconText {
  /// Returns `addr:AA:BB:CC:DD:EE:FF`.
  package static func address(_ text: ArraySlice<UInt8>?) -> String? {
    text.flatMap(addressBits).map { BeaconIdentity.address($0).description }
  }

  /// Returns `ibeacon:UUID:major:minor`.
  package static func iBeacon(_ uuid: ArraySlice<UInt8>?, _ major: UInt16?, _ minor: UInt16?)
    -> String?
  {
    guard let uuid, uuid.count <= 36, let major, let minor,
      let id = Identifier<16>(String(decoding: uuid, as: UTF8.self))
    else { return nil }
    return BeaconIdentity.iBeacon(uuid: id, major: major, minor: minor).description
  }

  /// Returns the name for a UUID, major and minor joined by dashes, major and minor in decimal.
  package static func joinedIBeacon(_ text: ArraySlice<UInt8>) -> String? {
    let parts = text.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.count >= 3 else { return nil }
    let uuid = text[..<(parts[parts.count - 2].startIndex - 1)]
    return iBeacon(uuid, decimal(parts[parts.count - 2]), decimal(parts[parts.count - 1]))
  }

  /// Returns `eddystone-uid:NAMESPACE:INSTANCE` for both parts joined by a dash.
  package static func joinedEddystone(_ text: ArraySlice<UInt8>) -> String? {
    let parts = String(decoding: text, as: UTF8.self).split(separator: "-")
    guard parts.count == 2, let namespace = Identifier<10>(String(parts[0])),
      let instance = Identifier<6>(String(parts[1]))
    else { return nil }
    return BeaconIdentity.eddystoneUID(namespace: namespace, instance: instance).description
  }

  package static func decimal(_ text: ArraySlice<UInt8>) -> UInt16? {
    UInt16(String(decoding: text, as: UTF8.self))
  }

  package static func hexadecimal(_ text: ArraySlice<UInt8>) -> UInt16? {
    UInt16(String(decoding: text, as: UTF8.self), radix: 16)
  }

  /// Returns the name for an identifier of ESPresense, such as `iBeacon:UUID-1-2`; other
  /// identifiers stay unchanged.
  package static func espresense(_ id: ArraySlice<UInt8>) -> String {
    if let address = address(id) { return address }
    let colon = id.firstIndex(of: UInt8(ascii: ":")) ?? id.endIndex
    let rest = colon == id.endIndex ? [] : id[(colon + 1)...]
    let known: String? =
      switch String(decoding: id[..<colon], as: UTF8.self) {
      case "iBeacon": joinedIBeacon(rest)
      case "eddy": joinedEddystone(rest)
      case "known": Self.address(rest)
      default: nil
      }
    return known ?? String(decoding: id, as: UTF8.self)
  }
}
