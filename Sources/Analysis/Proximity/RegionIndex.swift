package import Advertising

/// Finds the regions of a beacon, in time that does not grow with their number.
package struct RegionIndex: Sendable {
  package let regions: [Region]
  private var byPattern: [BeaconPattern: [Int]] = [:]
  private var universal: [Int] = []

  package init(_ regions: [Region]) {
    self.regions = regions
    for (index, region) in regions.enumerated() {
      if let pattern = region.pattern {
        byPattern[pattern, default: []].append(index)
      } else {
        universal.append(index)
      }
    }
  }

  /// The regions that a beacon belongs to, in their order.
  ///
  /// - Parameter identity: nil for a beacon with a name of its own, which no pattern means.
  package func regions(of identity: BeaconIdentity?) -> [Int] {
    let found = identity.map { $0.patterns.flatMap { byPattern[$0] ?? [] } } ?? []
    return (universal + found).sorted()
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
