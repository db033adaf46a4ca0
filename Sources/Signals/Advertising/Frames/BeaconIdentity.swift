/// The beacon that an advertisement came from; two are equal exactly when their descriptions are.
public enum BeaconIdentity: Hashable, Sendable {
  /// The UUID, major and minor of an iBeacon.
  case iBeacon(uuid: Identifier<16>, major: UInt16, minor: UInt16)
  /// The identifier of an AltBeacon.
  case altBeacon(Identifier<20>)
  /// The namespace and instance of an Eddystone-UID frame.
  case eddystoneUID(namespace: Identifier<10>, instance: Identifier<6>)
  /// The URL of an Eddystone-URL frame.
  case eddystoneURL(String)
  /// The identifier of an Eddystone-EID frame, which changes with time.
  case eddystoneEID(Identifier<8>)
  /// The 48 bits of the address, for frames without an identity, including telemetry.
  case address(UInt64)

  /// Creates the identity that a frame contains, else that of the address that sent it.
  public init(_ frame: BeaconFrame, address: DeviceAddress) {
    switch frame {
    case .iBeacon(let frame):
      self = .iBeacon(uuid: frame.uuid, major: frame.major, minor: frame.minor)
    case .altBeacon(let frame): self = .altBeacon(frame.id)
    case .eddystoneUID(let frame):
      self = .eddystoneUID(namespace: frame.namespace, instance: frame.instance)
    case .eddystoneURL(let frame): self = .eddystoneURL(frame.url)
    case .eddystoneEID(let frame): self = .eddystoneEID(frame.id)
    case .eddystoneTLM, .eddystoneETLM, .other: self = .address(address.bits)
    }
  }

  /// The format of the identity; `other` for an address.
  public var kind: BeaconKind {
    switch self {
    case .iBeacon: .iBeacon
    case .altBeacon: .altBeacon
    case .eddystoneUID: .eddystoneUID
    case .eddystoneURL: .eddystoneURL
    case .eddystoneEID: .eddystoneEID
    case .address: .other
    }
  }
}

extension BeaconIdentity: CustomStringConvertible {
  /// The identity as files and the command line write it, such as `ibeacon:UUID:major:minor`.
  public var description: String {
    switch self {
    case .iBeacon(let uuid, let major, let minor): "ibeacon:\(uuid):\(major):\(minor)"
    case .altBeacon(let id): "altbeacon:\(id)"
    case .eddystoneUID(let namespace, let instance): "eddystone-uid:\(namespace):\(instance)"
    case .eddystoneURL(let url): "eddystone-url:\(url)"
    case .eddystoneEID(let id): "eddystone-eid:\(id)"
    case .address(let bits): "addr:\(DeviceAddress(bits: bits, type: 0))"
    }
  }
}

/// The beacon formats, by the names used in files and on the command line.
public enum BeaconKind: String, CaseIterable, Sendable {
  /// The iBeacon format.
  case iBeacon = "ibeacon"
  /// The AltBeacon format.
  case altBeacon = "altbeacon"
  /// The Eddystone-UID frame.
  case eddystoneUID = "eddystone-uid"
  /// The Eddystone-URL frame.
  case eddystoneURL = "eddystone-url"
  /// The Eddystone-TLM frame, plain or encrypted.
  case eddystoneTLM = "eddystone-tlm"
  /// The Eddystone-EID frame.
  case eddystoneEID = "eddystone-eid"
  /// No beacon format: the device is identified by its address.
  case other
}
