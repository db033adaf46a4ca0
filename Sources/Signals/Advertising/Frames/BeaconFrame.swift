/// What one advertisement states, among the beacon formats.
public enum BeaconFrame: Hashable, Sendable {
  case iBeacon(IBeacon)
  case altBeacon(AltBeacon)
  case eddystoneUID(EddystoneUID)
  case eddystoneURL(EddystoneURL)
  case eddystoneTLM(EddystoneTLM)
  case eddystoneETLM(EddystoneETLM)
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
