/// Why an identity cannot be advertised.
public enum FrameRefusal: Error, Equatable, Sendable, CustomStringConvertible {
  /// No frame of the kind states such a power; dBm at 1 m, and the limits there.
  case power(Int, BeaconKind, ClosedRange<Int>)
  /// A web address that a frame cannot hold, and why.
  case url(String, EddystoneURL.Refusal)
  /// Only whoever has the key knows what the beacon's identifier is next.
  case ephemeral
  /// An address is what a radio has, not what it says.
  case address

  public var description: String {
    switch self {
    case .power(let power, let kind, let limits):
      "\(kind.rawValue) cannot state \(power) dBm at 1 m: measure it again, it has to be "
        + "\(limits.lowerBound) to \(limits.upperBound) dBm"
    case .url(let url, let refusal): "eddystone-url cannot hold \"\(url)\": \(refusal)"
    case .ephemeral:
      "an eddystone-eid changes with time, by a key that is not known here: advertise an "
        + "eddystone-uid"
    case .address:
      "an address is no identity that a frame could tell: advertise ibeacon:UUID:MAJOR:MINOR, "
        + "altbeacon:ID, eddystone-uid:NAMESPACE:INSTANCE or eddystone-url:URL"
    }
  }
}
