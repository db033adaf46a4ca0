package import Advertising
import Sightings

/// Which reports to keep.
package struct ReportSelection: Sendable {
  package var beacons: [BeaconPattern] = []
  package var kinds: Set<BeaconKind> = []
  package var addresses: Set<UInt64> = []
  /// dBm; keeping only strong reports biases path-loss fits.
  package var minimumRSSI: Float?

  /// Addresses that lately named a beacon that is kept: telemetry from them, which names none, is
  /// from that beacon.
  private var kept: Set<UInt64> = []

  package init() {}

  var isEverything: Bool {
    beacons.isEmpty && kinds.isEmpty && addresses.isEmpty && minimumRSSI == nil
  }

  mutating func accepts(_ report: AdvertisingReport, payload: Span<UInt8>) -> Bool {
    if let minimumRSSI, !(level(report.rssi) >= minimumRSSI) { return false }
    guard addresses.isEmpty || addresses.contains(report.address.bits) else { return false }
    guard !beacons.isEmpty || !kinds.isEmpty else { return true }
    let frame = BeaconFrame(payload: payload)
    guard kinds.isEmpty || kinds.contains(frame.kind) else { return false }
    guard !beacons.isEmpty else { return true }
    if case .eddystoneTLM = frame.kind, kept.contains(report.address.bits) { return true }
    let identity = BeaconIdentity(frame, address: report.address)
    guard beacons.contains(where: { $0.matches(identity) || $0 == .address(report.address.bits) })
    else { return false }
    // Bounded: addresses that rotate are dropped all at once, and named again within seconds.
    if kept.count >= 65_536 { kept.removeAll(keepingCapacity: true) }
    kept.insert(report.address.bits)
    return true
  }

  /// Whether to keep a sighting that has only the beacon's name.
  func accepts(beacon: String, rssi: Float) -> Bool {
    if let minimumRSSI, !(level(rssi) >= minimumRSSI) { return false }
    guard !isEverything else { return true }
    let identity = BeaconPattern(beacon)?.identity
    guard kinds.isEmpty || kinds.contains(identity?.kind ?? .other) else { return false }
    if !addresses.isEmpty {
      guard case .address(let bits) = identity, addresses.contains(bits) else { return false }
    }
    return beacons.isEmpty
      || identity.map { known in beacons.contains { $0.matches(known) } } ?? false
  }
}
