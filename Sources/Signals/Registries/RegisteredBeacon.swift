public import Advertising

/// What is known of one beacon beforehand: what people call it, where it hangs, how strong it is.
public struct RegisteredBeacon: Equatable, Sendable {
  public var identity: BeaconIdentity
  /// What people call it.
  public var name: String?
  /// What is to be found there.
  public var description: String?
  /// Anything else, by the names that the table gives.
  public var notes: [String: String] = [:]
  /// Metres; nil where unknown.
  public var x: Double?
  public var y: Double?
  public var z: Double?
  /// RSSI at 1 m in dBm, where it was measured.
  public var measuredPower: Double?
  /// Metres within which somebody has reached it.
  public var range: Double?

  public init(_ identity: BeaconIdentity) { self.identity = identity }
}

extension RegisteredBeacon {
  /// Its name and its identity, as far as it has both: `door (ibeacon:…)`.
  public var label: String { name.map { "\($0) (\(identity))" } ?? "\(identity)" }
}
