/// `RunningAverageRssiFilter` of the Android Beacon Library as published, for comparison only.
///
/// Of the n levels of the last 20 s in order of size it takes the mean from index ⌊n/10⌋ + 1 to
/// n − ⌊n/10⌋ − 2, of one or two levels that of all: one level more on each side than the 10 % it
/// speaks of. Source: AltBeacon/android-beacon-library, `RunningAverageRssiFilter.java`.
package struct PeerAltBeaconMean: LevelFilter {
  private var levels = SortedWindow(length: 20_000_000_000)

  package init() {}

  package mutating func update(time: Int64, rssi: Double, channel: UInt8 = 255) -> FilteredLevel {
    levels.add(rssi, at: time)
    let count = levels.count
    let cut = count > 2 ? count / 10 + 1 : 0
    var sum = 0.0
    for index in cut..<(count - cut) { sum += levels[index] }
    return FilteredLevel(rssi: sum / Double(count - 2 * cut), variance: .nan)
  }
}

extension FilterKind {
  static let peerAltBeaconMean = causal(
    "peer-altbeacon-mean", "RunningAverageRssiFilter of AltBeacon, to compare", []
  ) { _, _ in PeerAltBeaconMean() }
}
