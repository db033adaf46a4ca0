package import Advertising

/// A table of beacons, found by what they transmit.
///
/// Finding one is O(1).
package struct Registry: Equatable, Sendable {
  package private(set) var beacons: [RegisteredBeacon] = []
  private var places: [BeaconIdentity: Int] = [:]

  /// A registry that knows no one.
  package init() {}

  /// - Parameter beacons: of two with one identity, the later counts.
  package init(_ beacons: [RegisteredBeacon]) {
    for beacon in beacons {
      if let place = places[beacon.identity] {
        self.beacons[place] = beacon
      } else {
        places[beacon.identity] = self.beacons.count
        self.beacons.append(beacon)
      }
    }
  }

  package subscript(identity: BeaconIdentity) -> RegisteredBeacon? {
    places[identity].map { beacons[$0] }
  }

  /// The beacon of an identity as recordings write it, such as `ibeacon:UUID:1:2`.
  package subscript(id id: String) -> RegisteredBeacon? {
    BeaconPattern(id)?.identity.flatMap { self[$0] }
  }
}
