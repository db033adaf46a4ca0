public import Advertising

/// A table of beacons, found by what they transmit.
///
/// Finding one is O(1).
public struct Registry: Equatable, Sendable {
  public private(set) var beacons: [RegisteredBeacon] = []
  private var places: [BeaconIdentity: Int] = [:]

  /// A registry that knows nobody.
  public init() {}

  /// - Parameter beacons: of two with one identity, the later counts.
  public init(_ beacons: [RegisteredBeacon]) {
    for beacon in beacons {
      if let place = places[beacon.identity] {
        self.beacons[place] = beacon
      } else {
        places[beacon.identity] = self.beacons.count
        self.beacons.append(beacon)
      }
    }
  }

  public subscript(identity: BeaconIdentity) -> RegisteredBeacon? {
    places[identity].map { beacons[$0] }
  }

  /// The beacon of an identity as recordings write it, such as `ibeacon:UUID:1:2`.
  public subscript(id id: String) -> RegisteredBeacon? {
    BeaconPattern(id)?.identity.flatMap { self[$0] }
  }
}
