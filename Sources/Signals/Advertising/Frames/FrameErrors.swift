import Support

/// What no advertising frame can carry.
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
