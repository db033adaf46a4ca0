/// `ArmaRssiFilter` of the Android Beacon Library as published, for comparison only.
///
///     x ← trunc(x − 0.1 (x − z))
///
/// The state is an integer and Java truncates towards 0: see docs/filters/peers.md for what that
/// does. Counts packets, not seconds. Source: AltBeacon/android-beacon-library,
/// `ArmaRssiFilter.java`, `DEFAULT_ARMA_SPEED`.
package struct PeerAltBeaconARMA: LevelFilter {
  private var level: Double?

  package init() {}

  package mutating func update(time: Int64, rssi: Double, channel: UInt8 = 255) -> FilteredLevel {
    let last = level ?? rssi.rounded(.towardZero)
    let next = (last - 0.1 * (last - rssi)).rounded(.towardZero)
    level = next
    return FilteredLevel(rssi: next, variance: .nan)
  }
}

extension FilterKind {
  static let peerAltBeaconARMA = causal(
    "peer-altbeacon-arma", "ArmaRssiFilter of AltBeacon, to compare", []
  ) { _, _ in PeerAltBeaconARMA() }
}
