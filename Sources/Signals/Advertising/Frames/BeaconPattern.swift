/// A pattern of beacons: one identity, or all that share its first parts.
///
/// Written like identities, with trailing parts omitted: `ibeacon:UUID:1`, or only `UUID:1`;
/// `eddystone-uid:NAMESPACE`; `altbeacon:ID`; `eddystone-eid:ID`; `eddystone-url:URL`;
/// `addr:AA:BB:CC:DD:EE:FF`, or only the address. UUIDs and addresses are accepted in all usual
/// spellings, see `Identifier` and `DeviceAddress`; major and minor may follow after `:`, `-`, `_`
/// or `/`. Shortened identities are accepted as reports print them, see `ShortIdentity`.
public enum BeaconPattern: Hashable, Sendable {
  /// The iBeacons of a UUID; nil matches every major or minor.
  case iBeacon(uuid: Identifier<16>, major: UInt16?, minor: UInt16?)
  /// The AltBeacon with this identifier.
  case altBeacon(Identifier<20>)
  /// The Eddystone-UID beacons of a namespace; nil matches every instance.
  case eddystoneUID(namespace: Identifier<10>, instance: Identifier<6>?)
  /// The Eddystone-URL beacons with this URL.
  case eddystoneURL(String)
  /// The Eddystone-EID beacon with this identifier.
  case eddystoneEID(Identifier<8>)
  /// The device with this address of 48 bits.
  case address(UInt64)
  /// The iBeacon with these numbers, whose UUID is omitted or has this prefix.
  case shortened(ShortIdentity)

  /// Creates a pattern from a text, or returns `nil` for a text of another form.
  public init?(_ text: String) {
    // Most names in tables are not patterns, and are rejected by their length.
    guard text.utf8.count >= 3 else { return nil }
    let prefix = text.prefix { $0 != ":" }
    let rest = prefix.endIndex < text.endIndex ? text[text.index(after: prefix.endIndex)...] : ""
    switch prefix.lowercased() {
    case "ibeacon":
      if let pattern = Self(uuidAndNumbers: rest) {
        self = pattern
      } else {
        guard let short = ShortIdentity(rest) else { return nil }
        self = .shortened(short)
      }
    case "altbeacon":
      guard let id = Identifier<20>(rest) else { return nil }
      self = .altBeacon(id)
    case "eddystone-eid":
      guard let id = Identifier<8>(rest) else { return nil }
      self = .eddystoneEID(id)
    case "eddystone-url":
      guard prefix.endIndex < text.endIndex else { return nil }
      self = .eddystoneURL(String(rest))
    case "eddystone-uid":
      let parts = rest.split(separator: ":", omittingEmptySubsequences: false)
      guard (1...2).contains(parts.count), let namespace = Identifier<10>(parts[0]) else {
        return nil
      }
      let instance = parts.count == 2 ? Identifier<6>(parts[1]) : nil
      guard parts.count == 1 || instance != nil else { return nil }
      self = .eddystoneUID(namespace: namespace, instance: instance)
    default:
      if let address = DeviceAddress(text) {
        self = .address(address.bits)
      } else if let pattern = Self(uuidAndNumbers: text[...]) {
        self = pattern
      } else if let short = ShortIdentity(text[...]) {
        self = .shortened(short)
      } else {
        return nil
      }
    }
  }

  /// Returns a Boolean value that is true if a beacon matches.
  public func matches(_ identity: BeaconIdentity) -> Bool {
    switch (self, identity) {
    case (
      .iBeacon(let uuid, let major, let minor), .iBeacon(let itsUUID, let itsMajor, let itsMinor)
    ):
      uuid == itsUUID && (major ?? itsMajor) == itsMajor && (minor ?? itsMinor) == itsMinor
    case (.altBeacon(let id), .altBeacon(let its)): id == its
    case (.eddystoneUID(let namespace, let instance), .eddystoneUID(let itsNamespace, let its)):
      namespace == itsNamespace && (instance ?? its) == its
    case (.eddystoneURL(let url), .eddystoneURL(let its)): url == its
    case (.eddystoneEID(let id), .eddystoneEID(let its)): id == its
    case (.address(let bits), .address(let its)): bits == its
    case (.shortened(let short), _): short.matches(identity)
    default: false
    }
  }

  /// The identity, if the pattern means only one beacon.
  public var identity: BeaconIdentity? {
    switch self {
    case .iBeacon(let uuid, let major?, let minor?):
      .iBeacon(uuid: uuid, major: major, minor: minor)
    case .altBeacon(let id): .altBeacon(id)
    case .eddystoneUID(let namespace, let instance?):
      .eddystoneUID(namespace: namespace, instance: instance)
    case .eddystoneURL(let url): .eddystoneURL(url)
    case .eddystoneEID(let id): .eddystoneEID(id)
    case .address(let bits): .address(bits)
    case .iBeacon, .eddystoneUID, .shortened: nil
    }
  }

  /// Creates the pattern that means one beacon.
  public init(_ identity: BeaconIdentity) {
    self =
      switch identity {
      case .iBeacon(let uuid, let major, let minor):
        .iBeacon(uuid: uuid, major: major, minor: minor)
      case .altBeacon(let id): .altBeacon(id)
      case .eddystoneUID(let namespace, let instance):
        .eddystoneUID(namespace: namespace, instance: instance)
      case .eddystoneURL(let url): .eddystoneURL(url)
      case .eddystoneEID(let id): .eddystoneEID(id)
      case .address(let bits): .address(bits)
      }
  }

  /// Creates a pattern from `UUID`, `UUID:MAJOR` or `UUID:MAJOR:MINOR`, with the UUID in any
  /// spelling.
  private init?(uuidAndNumbers text: Substring) {
    // The shortest UUID has 32 digits.
    guard text.utf8.count >= 32, let end = uuidEnd(text), let uuid = Identifier<16>(text[..<end])
    else { return nil }
    let rest = text[end...]
    guard let separator = rest.utf8.first else {
      self = .iBeacon(uuid: uuid, major: nil, minor: nil)
      return
    }
    guard ":-_/".utf8.contains(separator) else { return nil }
    let numbers = rest.dropFirst().split(
      separator: Character(Unicode.Scalar(separator)), omittingEmptySubsequences: false
    ).map(decimalNumber)
    guard numbers.count <= 2, !numbers.contains(nil) else { return nil }
    self = .iBeacon(
      uuid: uuid, major: numbers[0], minor: numbers.count == 2 ? numbers[1] : nil)
  }
}

/// A shortened iBeacon identity: its major and minor, after the first digits of its UUID or none,
/// such as `1:3`, `…:1:3` and `5E1F…:1:3`, with an optional `ibeacon:`.
public struct ShortIdentity: Hashable, Sendable {
  /// The hexadecimal digits in upper case, without hyphens.
  let start: String
  let major: UInt16
  let minor: UInt16

  /// Returns `nil` for a text of another form.
  init?(_ text: Substring) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), let major = decimalNumber(parts[parts.count - 2]),
      let minor = decimalNumber(parts[parts.count - 1])
    else { return nil }
    var start = ""
    if parts.count == 3 {
      let part = parts[0]
      // Three dots replace a … that is not on the keyboard.
      guard let ellipsis = ["…", "..."].first(where: part.hasSuffix) else { return nil }
      start = part.dropLast(ellipsis.count).filter { $0 != "-" }.uppercased()
      guard start.utf8.count < 32, start.utf8.allSatisfy({ hexadecimalValue($0) != nil }) else {
        return nil
      }
    }
    (self.start, self.major, self.minor) = (start, major, minor)
  }

  /// Returns a Boolean value that is true if an identity has these numbers and this prefix of the
  /// UUID.
  public func matches(_ identity: BeaconIdentity) -> Bool {
    guard case .iBeacon(let uuid, major, minor) = identity else { return false }
    return start.isEmpty || hexadecimal(uuid.bytes).hasPrefix(start)
  }
}

/// Returns a number of 16 bits in decimal digits only.
private func decimalNumber(_ text: Substring) -> UInt16? {
  text.utf8.allSatisfy { (48...57).contains($0) } ? UInt16(text) : nil
}

/// Returns the end of the UUID at the start of a text: after its 32 digits and the closing brace.
private func uuidEnd(_ text: Substring) -> Substring.Index? {
  let utf8 = text.utf8
  var index = utf8.startIndex
  for prefix in ["urn:uuid:", "{", "0x"] where text[index...].hasASCIIPrefix(prefix) {
    index = utf8.index(index, offsetBy: prefix.utf8.count)
  }
  var digits = 0
  while digits < 32, index < utf8.endIndex {
    if hexadecimalValue(utf8[index]) != nil {
      digits += 1
    } else if utf8[index] != UInt8(ascii: "-") {
      return nil
    }
    index = utf8.index(after: index)
  }
  guard digits == 32 else { return nil }
  if index < utf8.endIndex, utf8[index] == UInt8(ascii: "}") { index = utf8.index(after: index) }
  return index
}
