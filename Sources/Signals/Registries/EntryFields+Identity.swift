internal import Advertising
internal import Support

extension EntryFields {
  /// Takes the identity that the fields state, in one of the ways that lists do:
  ///
  ///     id                          ibeacon:UUID:MAJOR:MINOR, eddystone-uid:NAMESPACE:INSTANCE, …
  ///     uuid, major, minor          iBeacon
  ///     namespace, instance         Eddystone, hexadecimal or base64
  ///     advertisedId: {type, id}    Google's beacon platform, base64
  ///     address                     where nothing else is stated
  ///
  /// - Throws: for none, and for two that differ.
  mutating func takeIdentity() throws(EntryProblem) -> BeaconIdentity {
    var found: [BeaconIdentity] = []
    if let identity = try iBeacon() { found.append(identity) }
    if let identity = try eddystone() { found.append(identity) }
    if let identity = try advertised() { found.append(identity) }
    var unread: String?
    for name in ["id", "identity", "beacon", "node"] {
      guard let written = text([name]) else { continue }
      if let identity = BeaconPattern(written)?.identity {
        found.append(identity)
        _ = take([name])
      } else {
        // A number in someone's data base: a note, where the beacon is named otherwise.
        unread = unread ?? written
      }
    }
    if found.isEmpty, let written = text(["address", "mac", "macaddress"]) {
      guard let address = DeviceAddress(written) else {
        throw EntryProblem("the address \(quoted(written)) is not written as AA:BB:CC:DD:EE:FF")
      }
      _ = take(["address", "mac", "macaddress"])
      found.append(.address(address.bits))
    }
    guard let identity = found.first else {
      throw EntryProblem(
        unread.map {
          "\(quoted($0)) is no identity: write ibeacon:UUID:MAJOR:MINOR or "
            + "eddystone-uid:NAMESPACE:INSTANCE"
        }
          ?? "nothing says which beacon it is: give id, or uuid, major and minor, or namespace and instance"
      )
    }
    if let other = found.first(where: { $0 != identity }) {
      throw EntryProblem(
        "it states two identities, \(quoted("\(identity)")) and \(quoted("\(other)"))")
    }
    let written = "\(identity)"
    guard written.utf8.count <= RegistryLimits.nameBytes,
      written.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { throw EntryProblem("the identity \(quoted(written)) is too long or not plain ASCII") }
    if text(["kind"]) == identity.kind.rawValue { _ = take(["kind"]) }
    return identity
  }

  private mutating func iBeacon() throws(EntryProblem) -> BeaconIdentity? {
    let names = ["uuid", "proximityuuid", "proximityid", "beaconuuid"]
    guard let written = text(names) else { return nil }
    // Of another kind of beacon it is a name in a data base.
    let major = text(["major"])
    let minor = text(["minor"])
    if major == nil, minor == nil { return nil }
    guard let uuid = Identifier<16>(written) else {
      throw EntryProblem("the UUID \(quoted(written)) is not 32 hexadecimal digits")
    }
    let numbers = try [major, minor].map { text throws(EntryProblem) -> UInt16 in
      guard let text, text.utf8.allSatisfy({ (48...57).contains($0) }), let number = UInt16(text)
      else {
        throw EntryProblem(
          "major or minor (\(quoted(text ?? "none"))) is not a number of 0 to 65535")
      }
      return number
    }
    for name in [names, ["major"], ["minor"]] { _ = take(name) }
    return .iBeacon(uuid: uuid, major: numbers[0], minor: numbers[1])
  }

  private mutating func eddystone() throws(EntryProblem) -> BeaconIdentity? {
    let names = [["namespace", "namespaceid"], ["instance", "instanceid"]]
    guard let namespace = text(names[0]), let instance = text(names[1]) else { return nil }
    guard let space = identifier(namespace, of: 10), let one = identifier(instance, of: 6) else {
      throw EntryProblem(
        "the namespace \(quoted(namespace)) or the instance \(quoted(instance)) is not 10 and 6 "
          + "bytes in hexadecimal or base64"
      )
    }
    for name in names { _ = take(name) }
    return BeaconPattern("eddystone-uid:\(space):\(one)")?.identity
  }

  private mutating func advertised() throws(EntryProblem) -> BeaconIdentity? {
    guard let type = text(["advertisedid.type"]), let id = text(["advertisedid.id"]) else {
      return nil
    }
    func problem() -> EntryProblem {
      EntryProblem("advertisedId.id \(quoted(id)) is no \(quoted(type)) identity in base64")
    }
    let written: String
    switch type.uppercased() {
    case "EDDYSTONE", "EDDYSTONE_UID":
      guard let digits = identifier(id, of: 16) else { throw problem() }
      written = "eddystone-uid:\(digits.prefix(20)):\(digits.dropFirst(20))"
    case "IBEACON":
      guard let digits = identifier(id, of: 20),
        let major = UInt16(digits.dropFirst(32).prefix(4), radix: 16),
        let minor = UInt16(digits.dropFirst(36), radix: 16)
      else { throw problem() }
      written = "ibeacon:\(digits.prefix(32)):\(major):\(minor)"
    case "ALTBEACON":
      guard let digits = identifier(id, of: 20) else { throw problem() }
      written = "altbeacon:\(digits)"
    case "EDDYSTONE_EID":
      guard let digits = identifier(id, of: 8) else { throw problem() }
      written = "eddystone-eid:\(digits)"
    default: throw EntryProblem("advertisedId.type \(quoted(type)) is not known")
    }
    for name in ["advertisedid.type", "advertisedid.id"] { _ = take([name]) }
    return BeaconPattern(written)?.identity
  }

  /// So many bytes as hexadecimal digits, of a text in hexadecimal or base64; nil for others.
  ///
  /// The lengths distinguish the two: base64 of n bytes is shorter than 2 n digits.
  private func identifier(_ text: String, of count: Int) -> String? {
    var digits = Array(text.utf8)
    if digits.starts(with: Array("0x".utf8)) { digits.removeFirst(2) }
    let plain = digits.filter { $0 != UInt8(ascii: "-") }
    var bytes: [UInt8] = []
    if plain.count == 2 * count {
      guard bytes.append(hexadecimal: plain[...]) else { return nil }
    } else {
      // The alphabet for addresses of pages (RFC 4648, section 5) is as common.
      let standard = digits.map {
        $0 == UInt8(ascii: "-")
          ? UInt8(ascii: "+") : $0 == UInt8(ascii: "_") ? UInt8(ascii: "/") : $0
      }
      guard bytes.append(base64: standard[...]), bytes.count == count else { return nil }
    }
    return hexadecimal(bytes, uppercase: true)
  }
}
