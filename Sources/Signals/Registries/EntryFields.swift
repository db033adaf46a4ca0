internal import Advertising
internal import Recordings
internal import Support

/// The fields of one entry of a list, in any spelling.
///
/// Names are compared without case, separators and brackets, so that `proximityUUID` and
/// `proximity_uuid`, `x_m` and `x [m]` are equal. Fields of nested objects are named by their path,
/// `latLng.latitude`.
struct EntryFields {
  private var fields: [(name: String, key: String, text: String)] = []
  private var taken: [Bool] = []

  /// Adds a field; an empty one counts as absent.
  mutating func add(_ name: String, _ text: String) {
    guard !text.isEmpty else { return }
    fields.append((name, Self.key(name), text))
    taken.append(false)
  }

  /// The name of a duplicate field; `nil` if there is none.
  var repeated: String? {
    var seen: Set<String> = []
    return fields.first { !seen.insert($0.name).inserted }?.name
  }

  /// Removes and returns the first present field of some names; otherwise it becomes a note.
  mutating func take(_ names: [String]) -> (name: String, text: String)? {
    for name in names {
      if let place = fields.indices.first(where: { !taken[$0] && fields[$0].key == name }) {
        taken[place] = true
        return (fields[place].name, fields[place].text)
      }
    }
    return nil
  }

  /// Returns the text of a field, without removing it.
  func text(_ names: [String]) -> String? {
    for name in names {
      if let field = fields.first(where: { $0.key == name }) { return field.text }
    }
    return nil
  }

  /// The remaining fields by name, with a flag for those that are intentional notes.
  var rest: [(name: String, text: String, isNote: Bool)] {
    fields.indices.filter { !taken[$0] }.map { place in
      let field = fields[place]
      let isNote = field.name.hasPrefix("notes.") && field.name.utf8.count > 6
      return (isNote ? String(field.name.dropFirst(6)) : field.name, field.text, isNote)
    }
  }

  /// The names of all fields.
  var names: [String] { fields.map(\.name) }

  /// Paths keep their dots, so that a field of an object is not taken for one of the entry.
  private static func key(_ name: String) -> String {
    name.contains(".")
      ? name.split(separator: ".", omittingEmptySubsequences: false)
        .map { ColumnHint.key(String($0)) }.joined(separator: ".") : ColumnHint.key(name)
  }
}
/// The reason why an entry of a list was rejected, as a clause.
struct EntryProblem: Error {
  var words: String

  init(_ words: String) { self.words = words }
}

/// An entry that was rejected entirely.
public struct EntryRefusal: Equatable, Sendable, CustomStringConvertible {
  /// The place of the entry: `entry 17`, or `line 18`.
  public var place: String
  /// The reason, as a clause.
  public var reason: String

  public var description: String { "\(place): \(reason)" }
}

extension EntryFields {
  /// Removes and returns the identity in the fields, in one of the usual forms:
  ///
  ///     id                          ibeacon:UUID:MAJOR:MINOR, eddystone-uid:NAMESPACE:INSTANCE, …
  ///     uuid, major, minor          iBeacon
  ///     namespace, instance         Eddystone, hexadecimal or base64
  ///     advertisedId: {type, id}    Google's beacon platform, base64
  ///     address                     if there is nothing else
  ///
  /// - Throws: `EntryProblem` if there is none, or two that differ.
  mutating func takeIdentity() throws(EntryProblem) -> BeaconIdentity {
    var found: [BeaconIdentity] = []
    if let identity = try iBeacon() { found.append(identity) }
    if let identity = try eddystone() { found.append(identity) }
    if let identity = try advertised() { found.append(identity) }
    var unread: String?
    for name in Self.identityNames {
      guard let written = text([name]) else { continue }
      if let identity = BeaconPattern(written)?.identity, !isKey(written, found) {
        found.append(identity)
        _ = take([name])
      } else {
        // A number in a foreign database is a note if the beacon is named otherwise.
        unread = unread ?? written
      }
    }
    if found.isEmpty, let written = text(Self.addressNames) {
      guard let address = DeviceAddress(written) else {
        throw EntryProblem("invalid address \(quoted(written)) (example: AA:BB:CC:DD:EE:FF)")
      }
      _ = take(Self.addressNames)
      found.append(.address(address.bits))
    }
    guard let identity = found.first else {
      throw EntryProblem(
        unread.map {
          "expected ibeacon:UUID:MAJOR:MINOR or "
            + "eddystone-uid:NAMESPACE:INSTANCE, found \(quoted($0))"
        }
          ?? "no identity: give id, or uuid, major and minor, or namespace and "
          + "instance, or address" + identityHint)
    }
    if let other = found.first(where: { $0 != identity }) {
      throw EntryProblem(
        "two identities: \(quoted("\(identity)")) and \(quoted("\(other)"))")
    }
    let written = "\(identity)"
    guard written.utf8.count <= RegistryLimits.nameBytes,
      written.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { throw EntryProblem("the identity \(quoted(written)) is too long or not plain ASCII") }
    if text(["kind"]) == identity.kind.rawValue { _ = take(["kind"]) }
    return identity
  }

  private static let identityNames = ["id", "identity", "beacon", "node"]
  private static let addressNames = [
    "address", "mac", "macaddress", "macaddr", "bdaddr", "bdaddress", "bluetoothaddress",
    "deviceaddress", "btaddress", "blemac", "beaconmac", "btmac",
  ]

  /// Returns a Boolean value that is true if a text without separators is a database key rather
  /// than an address: the beacon is named otherwise, or it has no letter.
  private func isKey(_ written: String, _ found: [BeaconIdentity]) -> Bool {
    guard written.utf8.count == 12, DeviceAddress(written) != nil else { return false }
    return !found.isEmpty || text(["uuid", "namespace"] + Self.addressNames) != nil
      || written.allSatisfy(\.isNumber)
  }

  /// The clause that suggests fields for an identity; empty if none is similar.
  private var identityHint: String {
    let known = ["id", "uuid", "major", "minor", "namespace", "instance", "address"]
    let hints = names.filter { !known.contains(Self.key($0)) }.compactMap { name in
      ColumnHint.words(name, among: known).map { "\(quoted(name)): \($0)" }
    }
    return hints.isEmpty ? "" : " (" + hints.joined(separator: "; ") + ")"
  }

  private mutating func iBeacon() throws(EntryProblem) -> BeaconIdentity? {
    let names = ["uuid", "proximityuuid", "proximityid", "beaconuuid", "ibeaconuuid", "proximity"]
    guard let written = text(names) else { return nil }
    // For another kind of beacon it is a name in a database.
    let major = text(["major"])
    let minor = text(["minor"])
    if major == nil, minor == nil { return nil }
    guard let uuid = Identifier<16>(written) else {
      throw EntryProblem("the UUID \(quoted(written)) must have 32 hexadecimal digits")
    }
    let numbers = try [major, minor].map { text throws(EntryProblem) -> UInt16 in
      guard let text, text.utf8.allSatisfy({ (48...57).contains($0) }), let number = UInt16(text)
      else {
        throw EntryProblem(
          "major or minor (\(quoted(text ?? "none"))) must be a number from 0 to 65535")
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
        "the namespace \(quoted(namespace)) and the instance \(quoted(instance)) must be 10 and 6 "
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
      EntryProblem("advertisedId.id must be a \(quoted(type)) identity in base64")
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
    default: throw EntryProblem("unknown advertisedId.type \(quoted(type))")
    }
    for name in ["advertisedid.type", "advertisedid.id"] { _ = take([name]) }
    return BeaconPattern(written)?.identity
  }

  /// Returns a number of bytes as hexadecimal digits, from a text in hexadecimal or base64, or
  /// `nil` for others.
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
      // The URL-safe alphabet (RFC 4648, section 5) is equally common.
      let standard = digits.map {
        $0 == UInt8(ascii: "-")
          ? UInt8(ascii: "+") : $0 == UInt8(ascii: "_") ? UInt8(ascii: "/") : $0
      }
      guard bytes.append(base64: standard[...]), bytes.count == count else { return nil }
    }
    return hexadecimal(bytes, uppercase: true)
  }
}

extension EntryFields {
  /// Removes and returns the finite number in the first present field of some names.
  mutating func takeNumber(_ names: [String]) throws(EntryProblem) -> Double? {
    guard let field = take(names) else { return nil }
    let isDecimal = field.text.utf8.allSatisfy {
      (48...57).contains($0) || [43, 45, 46, 69, 101].contains($0)
    }
    guard isDecimal, field.text.utf8.count < 64, let number = Double(field.text), number.isFinite
    else { throw EntryProblem("\(field.name) \(quoted(field.text)) is not a number") }
    return number
  }
}
