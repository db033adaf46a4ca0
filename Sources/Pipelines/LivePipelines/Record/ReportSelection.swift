public import Advertising
import Sightings

/// A selection of reports to keep.
public struct ReportSelection: Sendable {
  /// The beacons to keep; empty keeps all.
  public var beacons: [BeaconPattern] = []
  /// The kinds of beacons to keep; empty keeps all.
  public var kinds: Set<BeaconKind> = []
  /// The 48-bit addresses to keep; empty keeps all.
  public var addresses: Set<UInt64> = []
  /// The lowest level to keep, in dBm; keeping only strong reports biases path-loss fits.
  public var minimumRSSI: Float?

  /// Addresses that lately sent the name of a kept beacon: telemetry from them, which has no name,
  /// is of that beacon.
  private var kept: Set<UInt64> = []
  /// The beacon of a shortened identity: the first that matches, because others are yet to come.
  private var shortened: [ShortIdentity: BeaconIdentity] = [:]
  /// Beacons that match a shortened identity besides its own, each once.
  private(set) var leftOut: [BeaconIdentity: BeaconIdentity] = [:]

  /// Creates a selection of all reports.
  public init() {}

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
    guard isMeant(identity) || beacons.contains(.address(report.address.bits)) else {
      return false
    }
    // Bounded: rotating addresses are dropped all at once, and named again within seconds.
    if kept.count >= 65_536 { kept.removeAll(keepingCapacity: true) }
    kept.insert(report.address.bits)
    return true
  }

  /// Returns true if a sighting that has only the beacon's name is kept.
  mutating func accepts(beacon: String, rssi: Float) -> Bool {
    if let minimumRSSI, !(level(rssi) >= minimumRSSI) { return false }
    guard !isEverything else { return true }
    let identity = BeaconPattern(beacon)?.identity
    guard kinds.isEmpty || kinds.contains(identity?.kind ?? .other) else { return false }
    if !addresses.isEmpty {
      guard case .address(let bits) = identity, addresses.contains(bits) else { return false }
    }
    guard !beacons.isEmpty else { return true }
    return identity.map { isMeant($0) } ?? false
  }

  private mutating func isMeant(_ identity: BeaconIdentity) -> Bool {
    for pattern in beacons where pattern.matches(identity) {
      guard case .shortened(let short) = pattern else { return true }
      let meant = shortened[short] ?? identity
      shortened[short] = meant
      if meant == identity { return true }
      if leftOut.count < 8 { leftOut[identity] = meant }
    }
    return false
  }
}
