public import Advertising

/// A group of beacons that are watched together: a shop, a floor, one exhibit.
public struct Region: Hashable, Sendable {
  /// The name of the region.
  public var name: String
  /// The patterns of its beacons; empty for every beacon.
  public var patterns: [BeaconPattern]
  /// The zones in which a beacon counts.
  package var zones: ZoneSet
  /// The distance within which a beacon without its own range counts as reached, in metres.
  public var range: Double?

  package init(
    name: String, patterns: [BeaconPattern] = [], zones: ZoneSet = .all, range: Double? = nil
  ) {
    (self.name, self.patterns, self.zones, self.range) = (name, patterns, zones, range)
  }
}

/// An index of regions by beacon, with lookup in constant time.
package struct RegionIndex: Sendable {
  package let regions: [Region]
  private var byPattern: [BeaconPattern: [Int]] = [:]
  private var universal: [Int] = []
  private var shortened: [(short: ShortIdentity, region: Int)] = []
  /// The beacon of each shortened identity that matched one.
  private var selected: [ShortIdentity: String] = [:]
  /// The addresses in patterns: every beacon sent from one belongs to its region.
  package private(set) var addresses: Set<UInt64> = []

  package init(_ regions: [Region]) {
    self.regions = regions
    for (index, region) in regions.enumerated() {
      if region.patterns.isEmpty { universal.append(index) }
      for pattern in Set(region.patterns) {
        byPattern[pattern, default: []].append(index)
        switch pattern {
        case .address(let bits): addresses.insert(bits)
        case .shortened(let short): shortened.append((short, index))
        default: break
        }
      }
    }
  }

  /// Returns the regions of a beacon, in their order.
  ///
  /// - Parameters:
  ///   - identity: The identity; `nil` for a beacon with its own name, which no pattern matches.
  ///   - sender: The address of the sender; `nil` if it is unknown.
  package func regions(of identity: BeaconIdentity?, sentFrom sender: UInt64? = nil) -> [Int] {
    var found = universal
    if let identity {
      found += identity.patterns.flatMap { byPattern[$0] ?? [] }
      found += shortened.filter { $0.short.matches(identity) }.map(\.region)
    }
    if let sender, identity != .address(sender) { found += byPattern[.address(sender)] ?? [] }
    return Set(found).sorted()
  }

  /// Returns the regions of a received beacon, in their order: of a shortened identity, those of the
  /// beacon that it selects.
  package func regions(ofBeacon id: String, sentFrom sender: UInt64? = nil) -> [Int] {
    let regions = regions(of: BeaconPattern(id)?.identity, sentFrom: sender)
    guard !selected.isEmpty else { return regions }
    return regions.filter { region in
      let shortest = self.regions[region].patterns.compactMap { pattern in
        if case .shortened(let short) = pattern { short } else { nil }
      }
      return shortest.isEmpty || shortest.contains { selected[$0] == id }
    }
  }

  /// Makes a received beacon the one that the shortened identities matching it select, if they have
  /// none.
  ///
  /// - Returns: The regions whose shortened identity matches, but selects another beacon.
  package mutating func select(_ id: String) -> [(region: String, selected: String)] {
    guard !shortened.isEmpty, let identity = BeaconPattern(id)?.identity else { return [] }
    return shortened.compactMap { short, region in
      guard short.matches(identity) else { return nil }
      let first = selected[short] ?? id
      selected[short] = first
      return first == id ? nil : (regions[region].name, first)
    }
  }
}

extension BeaconIdentity {
  /// All patterns that match the identity: itself, and itself without trailing parts.
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
