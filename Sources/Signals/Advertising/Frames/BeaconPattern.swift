/// Which beacons are meant: one identity, or all that share its first parts.
///
/// Written as identities are, with parts left out at the end: `ibeacon:UUID:1`, or only `UUID:1`;
/// `eddystone-uid:NAMESPACE`; `altbeacon:ID`; `eddystone-eid:ID`; `eddystone-url:URL`;
/// `addr:AA:BB:CC:DD:EE:FF`, or only the address. Upper and lower case are the same in hexadecimal.
public enum BeaconPattern: Hashable, Sendable {
  case iBeacon(uuid: Identifier<16>, major: UInt16?, minor: UInt16?)
  case altBeacon(Identifier<20>)
  case eddystoneUID(namespace: Identifier<10>, instance: Identifier<6>?)
  case eddystoneURL(String)
  case eddystoneEID(Identifier<8>)
  case address(UInt64)

  /// Nil for what is written in none of these ways.
  public init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    let rest = Array(parts.dropFirst())
    switch parts.first?.lowercased() {
    case "ibeacon": self.init(uuidAndNumbers: rest)
    case "altbeacon": self.init(rest) { Identifier($0).map(Self.altBeacon) }
    case "eddystone-eid": self.init(rest) { Identifier($0).map(Self.eddystoneEID) }
    case "eddystone-url":
      guard !rest.isEmpty else { return nil }
      self = .eddystoneURL(rest.joined(separator: ":"))
    case "eddystone-uid":
      guard let first = rest.first, let namespace = Identifier<10>(first), rest.count <= 2 else {
        return nil
      }
      let instance = rest.count == 2 ? Identifier<6>(rest[1]) : nil
      guard rest.count == 1 || instance != nil else { return nil }
      self = .eddystoneUID(namespace: namespace, instance: instance)
    case "addr": self.init(address: rest)
    default:
      if parts.count == 6 { self.init(address: parts) } else { self.init(uuidAndNumbers: parts) }
    }
  }

  /// Whether a beacon is one of those meant.
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
    default: false
    }
  }

  /// The identity, where the pattern means one beacon only.
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
    case .iBeacon, .eddystoneUID: nil
    }
  }

  private init?(_ parts: [String], _ make: (String) -> Self?) {
    guard parts.count == 1, let pattern = make(parts[0]) else { return nil }
    self = pattern
  }

  private init?(uuidAndNumbers parts: [String]) {
    guard (1...3).contains(parts.count), let uuid = Identifier<16>(parts[0]) else { return nil }
    let numbers = parts.dropFirst().map { UInt16($0) }
    guard !numbers.contains(nil) else { return nil }
    self = .iBeacon(
      uuid: uuid, major: numbers.first ?? nil, minor: numbers.count == 2 ? numbers[1] : nil)
  }

  private init?(address parts: [String]) {
    guard let address = DeviceAddress(octets: parts) else { return nil }
    self = .address(address.bits)
  }
}

extension DeviceAddress {
  /// An address as people write it, `AA:BB:CC:DD:EE:FF`, of type public; nil for anything else.
  public init?(_ text: String) {
    self.init(octets: text.split(separator: ":", omittingEmptySubsequences: false).map(String.init))
  }

  fileprivate init?(octets: [String]) {
    guard octets.count == 6 else { return nil }
    var bits: UInt64 = 0
    for octet in octets {
      guard octet.utf8.count == 2, octet.allSatisfy(\.isHexDigit),
        let byte = UInt8(octet, radix: 16)
      else { return nil }
      bits = bits << 8 | UInt64(byte)
    }
    self.init(bits: bits, type: 0)
  }
}
