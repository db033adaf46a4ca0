package import Advertising

/// What is known of one beacon beforehand: what people call it, where it hangs, how strong it is.
package struct RegisteredBeacon: Equatable, Sendable {
  package var identity: BeaconIdentity
  /// What people call it.
  package var name: String?
  /// What is to be found there.
  package var description: String?
  /// Anything else, by the names that the table gives.
  package var notes: [String: String] = [:]
  /// Metres; nil where unknown.
  package var x: Double?
  package var y: Double?
  package var z: Double?
  /// RSSI at 1 m in dBm, where it was measured.
  package var measuredPower: Double?
  /// Metres within which someone has reached it.
  package var range: Double?

  package init(_ identity: BeaconIdentity) { self.identity = identity }
}

extension RegisteredBeacon {
  /// Its name and its identity, as far as it has both: `door (ibeacon:…)`.
  package var label: String { name.map { "\($0) (\(identity))" } ?? "\(identity)" }
}
