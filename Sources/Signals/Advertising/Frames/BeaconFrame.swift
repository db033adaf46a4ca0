public import Support

/// The content of one advertisement, among the beacon formats.
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
  /// Anything else, damaged data included.
  case other

  /// Classifies advertising data by the first structure that is exactly a beacon's.
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

  /// RSSI at 1 m in dBm, where the frame states a power.
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
  /// The company that AltBeacons are commonly sent under, that of the format's authors.
  public static let altBeaconCompany: UInt16 = 0x0118

  /// Creates the frame by which a beacon shows its identity: decoded, it gives identity and power
  /// again.
  ///
  /// - Parameters:
  ///   - measuredPower: RSSI at 1 m, in dBm. Eddystone frames state the power at 0 m, 41 dB more.
  ///   - company: under which an AltBeacon is sent.
  /// - Throws: `RSSIError` where no frame can know them.
  public init(
    _ identity: BeaconIdentity, measuredPower: Int, company: UInt16 = altBeaconCompany
  ) throws(RSSIError) {
    func power(_ offset: Int, _ limits: ClosedRange<Int>) throws(RSSIError) -> Int8 {
      guard limits.contains(measuredPower), let power = Int8(exactly: measuredPower + offset) else {
        throw RSSIError.unstatablePower(measuredPower, identity.kind, limits)
      }
      return power
    }
    // What a received frame states at 1 m is a signed byte, so no frame can state less than -128.
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
        throw RSSIError(.usage, "eddystone-url cannot hold \"\(url)\": \(error)")
      }
    case .eddystoneEID: throw RSSIError.ephemeralIdentity
    case .address: throw RSSIError.addressIsNoIdentity
    }
  }

  /// The power at 0 m in dBm that an Eddystone frame states; nil for other frames.
  public var power0m: Int8? {
    switch self {
    case .eddystoneUID(let frame): frame.power0m
    case .eddystoneURL(let frame): frame.power0m
    case .eddystoneEID(let frame): frame.power0m
    case .iBeacon, .altBeacon, .eddystoneTLM, .eddystoneETLM, .other: nil
    }
  }
}

/// The errors of what no advertising frame can carry.
extension RSSIError {
  /// No frame of the kind states such a power; dBm at 1 m, and the limits there.
  static func unstatablePower(_ power: Int, _ kind: BeaconKind, _ limits: ClosedRange<Int>)
    -> RSSIError
  {
    RSSIError(
      .usage, "\(kind.rawValue) cannot state \(power) dBm at 1 m",
      advice: "measure it again: it has to be \(limits.lowerBound) to \(limits.upperBound) dBm")
  }

  /// The identifier of an eddystone-eid follows from a key and the time.
  static let ephemeralIdentity = RSSIError(
    .usage, "an eddystone-eid changes with time, by a key that is unknown here",
    advice: "advertise an eddystone-uid")

  /// An address is a property of the radio, not of a frame.
  static let addressIsNoIdentity = RSSIError(
    .usage, "a frame cannot carry an address as its identity",
    advice: "advertise ibeacon:UUID:MAJOR:MINOR, altbeacon:ID, "
      + "eddystone-uid:NAMESPACE:INSTANCE or eddystone-url:URL")
}
