public import Support

/// The settings of advertising: not connectable, not scannable, on all three channels.
public struct BroadcastSettings: Equatable, Sendable {
  /// The address that receivers see.
  public enum Address: Equatable, Sendable {
    /// The controller's own address; a random one if it has none.
    case own
    /// A static random address, new for each run.
    case random
    /// A given static random address of 48 bits, whose upper two bits are set.
    case fixed(UInt64)
  }

  /// The time from one advertisement to the next, in seconds; the controller adds up to 10 ms.
  public var interval = 0.1
  /// A Boolean value that is true to send extended advertising PDUs, which receivers before
  /// Bluetooth 5 do not hear.
  public var isExtended = false
  /// The physical layer of both the primary and the secondary PDU; the coded one requires extended
  /// advertising.
  public var phy = ScanSettings.PHY.le1M
  /// The maximum transmit power in dBm; nil leaves it to the controller.
  public var txPower: Int8?
  /// The address that receivers see.
  public var address = Address.own

  /// Creates the default settings.
  public init() {}

  /// Checks that the settings are possible for a controller.
  ///
  /// - Throws: `.usage`.
  public func check() throws(RSSIError) {
    guard (0.02...10.24).contains(interval) else {
      throw RSSIError(
        .usage, "an advertising interval of \(interval) s is impossible: give 0.02 to 10.24 s")
    }
    guard phy == .le1M || isExtended else {
      throw RSSIError(
        .usage, "only extended advertising has the coded physical layer: ask for both")
    }
    if let txPower, !(-127...20).contains(txPower) {
      throw RSSIError(
        .usage, "a transmit power of \(txPower) dBm is impossible: give -127 to 20 dBm")
    }
    if case .fixed(let bits) = address, !Self.isStaticRandom(bits) {
      throw RSSIError(
        .usage,
        "only a static random address can be chosen: the first digit is C to F, and its other bits "
          + "are not all 0 nor all 1")
    }
  }

  /// Source: Bluetooth Core Specification 5.4, volume 6, part B, section 1.3.2.1.
  private static func isStaticRandom(_ bits: UInt64) -> Bool {
    let random = bits & 0x3FFF_FFFF_FFFF
    return bits >> 46 == 3 && random != 0 && random != 0x3FFF_FFFF_FFFF
  }
}
