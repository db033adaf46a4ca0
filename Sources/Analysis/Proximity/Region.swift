public import Advertising

/// Beacons that are watched together: a shop, a floor, one exhibit.
public struct Region: Hashable, Sendable {
  /// The name of the region.
  public var name: String
  /// The pattern of its beacons; nil = every beacon.
  public var pattern: BeaconPattern?
  /// A beacon counts while it is in one of these.
  package var zones: ZoneSet
  /// The distance within which a beacon without a range of its own counts as reached, in metres.
  public var range: Double?

  package init(
    name: String, pattern: BeaconPattern?, zones: ZoneSet = .all, range: Double? = nil
  ) {
    (self.name, self.pattern, self.zones, self.range) = (name, pattern, zones, range)
  }
}

/// Finds the regions of a beacon, in time that does not grow with their number.
package struct RegionIndex: Sendable {
  package let regions: [Region]
  private var byPattern: [BeaconPattern: [Int]] = [:]
  private var universal: [Int] = []
  private var shortened: [(short: ShortIdentity, region: Int)] = []
  /// The addresses that regions name: all that is sent from one belongs to its region.
  package private(set) var addresses: Set<UInt64> = []

  package init(_ regions: [Region]) {
    self.regions = regions
    for (index, region) in regions.enumerated() {
      if let pattern = region.pattern {
        byPattern[pattern, default: []].append(index)
        switch pattern {
        case .address(let bits): addresses.insert(bits)
        case .shortened(let short): shortened.append((short, index))
        default: break
        }
      } else {
        universal.append(index)
      }
    }
  }

  /// The regions that a beacon belongs to, in their order.
  ///
  /// - Parameters:
  ///   - identity: nil for a beacon with a name of its own, which no pattern means.
  ///   - sender: the address that it is sent from; nil where it is not known.
  package func regions(of identity: BeaconIdentity?, sentFrom sender: UInt64? = nil) -> [Int] {
    var found = universal
    if let identity {
      found += identity.patterns.flatMap { byPattern[$0] ?? [] }
      found += shortened.filter { $0.short.matches(identity) }.map(\.region)
    }
    if let sender, identity != .address(sender) { found += byPattern[.address(sender)] ?? [] }
    return found.sorted()
  }

  /// The shortened identities that regions have, which mean one beacon each.
  package var shortIdentities: [(name: String, short: ShortIdentity)] {
    shortened.map { (regions[$0.region].name, $0.short) }
  }
}

extension BeaconIdentity {
  /// Every pattern that matches it: itself, and with parts left out at the end.
  fileprivate var patterns: [BeaconPattern] {
    switch self {
    case .iBeacon(let uuid, let major, let minor):
      [
        .iBeacon(uuid: uuid, major: nil, minor: nil),
        .iBeacon(uuid: uuid, major: major, minor: nil),
        .iBeacon(uuid: uuid, major: major, minor: minor),
      ]
    case .eddystoneUID(let namespace, let instance):
      [
        .eddystoneUID(namespace: namespace, instance: nil),
        .eddystoneUID(namespace: namespace, instance: instance),
      ]
    case .altBeacon(let id): [.altBeacon(id)]
    case .eddystoneURL(let url): [.eddystoneURL(url)]
    case .eddystoneEID(let id): [.eddystoneEID(id)]
    case .address(let bits): [.address(bits)]
    }
  }
}
