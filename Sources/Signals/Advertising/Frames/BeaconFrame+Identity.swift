public import Support

extension BeaconFrame {
  /// The company that AltBeacons are commonly sent under, that of the format's authors.
  public static let altBeaconCompany: UInt16 = 0x0118

  /// The frame by which a beacon shows its identity: decoded, it gives identity and power again.
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
