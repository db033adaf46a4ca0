import Support

/// A measured power as beacons advertise it.
///
/// Sources: Apple, "Proximity Beacon Specification" (measured power, RSSI at 1 m, two's
/// complement); AltBeacon 1.0, "Reference RSSI"; Eddystone-UID, "Tx Power" (the power at 0 m, which
/// is that at 1 m plus 41 dB, -100 to 20 dBm).
public struct AdvertisedPower: Equatable, Sendable {
  /// The plausible powers of beacons, in dBm at 1 m: at most the 20 dBm that the Bluetooth Core
  /// Specification allows, less the 40 dB loss over 1 m of free space at 2.4 GHz; and at least the
  /// sensitivity of the best receivers, -104 dBm, with a margin for extrapolation.
  public static let plausible = -110.0 ... -20.0

  /// Returns the reason to doubt a power at 1 m in dBm, as a clause with advice; nil if it is
  /// plausible.
  public static func doubt(_ power: Double) -> String? {
    guard power.isFinite, !plausible.contains(power) else { return nil }
    return "no beacon has \(plain((power * 10).rounded() / 10)) dBm at 1 m (\(possible)): \(advice)"
  }

  /// A clause with the range.
  public static let possible =
    "\(plain(plausible.lowerBound)) to \(plain(plausible.upperBound)) dBm are possible"

  /// The advice for a power outside the range.
  public static let advice =
    "check the unit of distances and coordinates, and the levels that the receiver reports"

  /// The power in whole decibels, rounded half away from zero: -58.5 becomes -59, whereas Apple's
  /// sample truncates to -58.
  public var rounded: Int
  /// The value that iBeacon and AltBeacon advertise; nil if a signed byte cannot hold it.
  public var byte: Int8?
  /// The value that Eddystone advertises, in dBm at 0 m; `nil` outside -100 to 20 dBm.
  public var eddystone: Int8?

  /// Creates the advertised values of a measured power.
  ///
  /// - Parameter power: The power at 1 m, in dBm, finite.
  public init(_ power: Double) {
    let limited = max(-1e6, min(1e6, power))
    rounded = Int(limited.rounded(.toNearestOrAwayFromZero))
    byte = Int8(exactly: rounded)
    eddystone = (-100...20).contains(rounded + 41) ? Int8(exactly: rounded + 41) : nil
  }

  /// The byte as configuration tools accept it, such as `0xC5`.
  public var hexadecimal: String? {
    byte.map { byte in
      let digits = String(UInt8(bitPattern: byte), radix: 16, uppercase: true)
      return digits.count == 1 ? "0x0" + digits : "0x" + digits
    }
  }

  /// The reasons for missing values; empty if there are none.
  public var refusals: [String] {
    var refusals: [String] = []
    if byte == nil {
      refusals.append(
        "\(rounded) dBm does not fit a signed byte, -128 to 127: check the levels of the receiver")
    }
    if eddystone == nil {
      refusals.append(
        "the power at 0 m would be \(rounded + 41) dBm, and Eddystone allows -100 to 20: check the "
          + "distance"
      )
    }
    return refusals
  }
}
