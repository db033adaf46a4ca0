public import Support

/// The content of one advertisement in one of the beacon formats.
public enum BeaconFrame: Hashable, Sendable {
  /// An iBeacon advertisement.
  case iBeacon(IBeacon)
  /// An AltBeacon advertisement.
  case altBeacon(AltBeacon)
  /// An Eddystone-UID frame.
  case eddystoneUID(EddystoneUID)
  /// An Eddystone-URL frame.
  case eddystoneURL(EddystoneURL)
  /// An Eddystone-TLM frame.
  case eddystoneTLM(EddystoneTLM)
  /// An encrypted Eddystone-TLM frame.
  case eddystoneETLM(EddystoneETLM)
  /// An Eddystone-EID frame.
  case eddystoneEID(EddystoneEID)
  /// Anything else, including damaged data.
  case other

  /// Classifies advertising data by the first structure that exactly matches a beacon format.
  public init(payload: Span<UInt8>) {
    self = .other
    var structures = ADStructures()
    while let structure = structures.next(in: payload) {
      let data = payload.extracting(structure.data)
      switch structure.type {
      case ADStructure.manufacturerData: self = Self(manufacturerData: data)
      case ADStructure.serviceData16: self = Self(serviceData: data)
      default: continue
      }
      if self != .other { return }
    }
  }

  private init(manufacturerData data: Span<UInt8>) {
    if let frame = IBeacon(manufacturerData: data) {
      self = .iBeacon(frame)
    } else if let frame = AltBeacon(manufacturerData: data) {
      self = .altBeacon(frame)
    } else {
      self = .other
    }
  }

  private init(serviceData data: Span<UInt8>) {
    if let frame = EddystoneUID(serviceData: data) {
      self = .eddystoneUID(frame)
    } else if let frame = EddystoneURL(serviceData: data) {
      self = .eddystoneURL(frame)
    } else if let frame = EddystoneTLM(serviceData: data) {
      self = .eddystoneTLM(frame)
    } else if let frame = EddystoneETLM(serviceData: data) {
      self = .eddystoneETLM(frame)
    } else if let frame = EddystoneEID(serviceData: data) {
      self = .eddystoneEID(frame)
    } else {
      self = .other
    }
  }

  /// The format of the frame.
  public var kind: BeaconKind {
    switch self {
    case .iBeacon: .iBeacon
    case .altBeacon: .altBeacon
    case .eddystoneUID: .eddystoneUID
    case .eddystoneURL: .eddystoneURL
    case .eddystoneTLM, .eddystoneETLM: .eddystoneTLM
    case .eddystoneEID: .eddystoneEID
    case .other: .other
    }
  }

  /// The RSSI at 1 m in dBm, if the frame contains a power.
  public var measuredPower: Int8? {
    switch self {
    case .iBeacon(let frame): frame.measuredPower
    case .altBeacon(let frame): frame.measuredPower
    case .eddystoneUID(let frame): frame.measuredPower
    case .eddystoneURL(let frame): frame.measuredPower
    case .eddystoneEID(let frame): frame.measuredPower
    case .eddystoneTLM, .eddystoneETLM, .other: nil
    }
  }

  /// The advertising data of the frame; none for `other`.
  public var advertisingData: [UInt8] {
    switch self {
    case .iBeacon(let frame): frame.advertisingData
    case .altBeacon(let frame): frame.advertisingData
    case .eddystoneUID(let frame): frame.advertisingData
    case .eddystoneURL(let frame): frame.advertisingData
    case .eddystoneTLM(let frame): frame.advertisingData
    case .eddystoneETLM(let frame): frame.advertisingData
    case .eddystoneEID(let frame): frame.advertisingData
    case .other: []
    }
  }
}

extension BeaconFrame {
  /// The usual company of AltBeacons, that of the format's authors.
  public static let altBeaconCompany: UInt16 = 0x0118

  /// Creates the identifying frame of a beacon; decoding it returns the same identity and power.
  ///
  /// - Parameters:
  ///   - measuredPower: The RSSI at 1 m, in dBm. Eddystone frames contain the power at 0 m, 41 dB
  ///     more.
  ///   - company: The company of an AltBeacon.
  /// - Throws: `RSSIError` if no frame can contain them.
  public init(
    _ identity: BeaconIdentity, measuredPower: Int, company: UInt16 = altBeaconCompany
  ) throws(RSSIError) {
    func power(_ offset: Int, _ limits: ClosedRange<Int>) throws(RSSIError) -> Int8 {
      guard limits.contains(measuredPower), let power = Int8(exactly: measuredPower + offset) else {
        throw RSSIError.unstatablePower(measuredPower, identity.kind, limits)
      }
      return power
    }
    // The power at 1 m from a received frame is a signed byte, so the least encodable power is
    // -128.
    let eddystone = -128...20 - Eddystone.firstMetre
    switch identity {
    case .iBeacon(let uuid, let major, let minor):
      let power = try power(0, -127...20)
      self = .iBeacon(IBeacon(uuid: uuid, major: major, minor: minor, measuredPower: power))
    case .altBeacon(let id):
      let power = try power(0, -127...0)
      self = .altBeacon(AltBeacon(company: company, id: id, measuredPower: power))
    case .eddystoneUID(let namespace, let instance):
      let power = try power(Eddystone.firstMetre, eddystone)
      self = .eddystoneUID(
        EddystoneUID(namespace: namespace, instance: instance, power0m: power))
    case .eddystoneURL(let url):
      let power = try power(Eddystone.firstMetre, eddystone)
      do throws(EddystoneURL.Refusal) {
        self = .eddystoneURL(try EddystoneURL(encoding: url, power0m: power))
      } catch {
        throw RSSIError(.usage, "eddystone-url cannot encode \"\(url)\": \(error)")
      }
    case .eddystoneEID: throw RSSIError.ephemeralIdentity
    case .address: throw RSSIError.addressIsNoIdentity
    }
  }

  /// The power at 0 m in dBm in an Eddystone frame; `nil` for other frames.
  public var power0m: Int8? {
    switch self {
    case .eddystoneUID(let frame): frame.power0m
    case .eddystoneURL(let frame): frame.power0m
    case .eddystoneEID(let frame): frame.power0m
    case .iBeacon, .altBeacon, .eddystoneTLM, .eddystoneETLM, .other: nil
    }
  }
}

/// The errors of values that an advertising frame cannot contain.
extension RSSIError {
  /// Returns the error of a power that no frame of the kind can contain, in dBm at 1 m, with the
  /// limits.
  static func unstatablePower(_ power: Int, _ kind: BeaconKind, _ limits: ClosedRange<Int>)
    -> RSSIError
  {
    RSSIError(
      .usage, "\(kind.rawValue) cannot encode \(power) dBm at 1 m",
      advice: "measure it again: expected \(limits.lowerBound) to \(limits.upperBound) dBm")
  }

  /// The error of an eddystone-eid, whose identifier follows from a key and the time.
  static let ephemeralIdentity = RSSIError(
    .usage, "an eddystone-eid changes with time, by an unknown key",
    advice: "advertise an eddystone-uid")

  /// The error of an address, which is a property of the radio, not of a frame.
  static let addressIsNoIdentity = RSSIError(
    .usage, "a frame cannot carry an address as its identity",
    advice: "advertise ibeacon:UUID:MAJOR:MINOR, altbeacon:ID, "
      + "eddystone-uid:NAMESPACE:INSTANCE or eddystone-url:URL")
}
