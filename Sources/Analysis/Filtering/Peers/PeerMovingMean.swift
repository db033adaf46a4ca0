/// The mean of the last second, about what Core Location states of a beacon, for comparison only.
///
/// `CLBeacon.rssi` is an integer, "the average signal strength of the samples received since Core
/// Location last reported the range", which it does once a second; this mean slides and is not
/// rounded. Source: developer.apple.com, CLBeacon, rssi.
package struct PeerMovingMean: LevelFilter {
  private var levels = WindowMoments(length: 1_000_000_000)

  package init() {}

  package mutating func update(time: Int64, rssi: Double, channel: UInt8 = 255) -> FilteredLevel {
    levels.add(rssi, at: time)
    return FilteredLevel(rssi: levels.moments.mean, variance: .nan)
  }
}

extension FilterKind {
  static let peerMovingMean = causal(
    "peer-moving-mean", "the last second, about as Core Location, to compare", []
  ) { _, _ in PeerMovingMean() }
}
