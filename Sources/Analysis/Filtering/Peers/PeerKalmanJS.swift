/// The Kalman filter of kalmanjs with a process noise of 0.008 and a measurement noise of 4, as
/// apps for RSSI set it, for comparison only.
///
///     P ← P + 0.008        K = P / (P + 4)        x ← x + K (z − x)        P ← (1 − K) P
///
/// Each packet is one step, however much time has passed. Its P is therefore no variance of the
/// level, and is not stated. Source: wouterbulten/kalmanjs, `kalman.js` (A = C = 1, B = 0).
package struct PeerKalmanJS: LevelFilter {
  private var level: Double?
  private var variance = 4.0

  package init() {}

  package mutating func update(time: Int64, rssi: Double, channel: UInt8 = 255) -> FilteredLevel {
    guard let last = level else {
      level = rssi
      return FilteredLevel(rssi: rssi, variance: .nan)
    }
    let predicted = variance + 0.008
    let gain = predicted / (predicted + 4)
    let next = last + gain * (rssi - last)
    level = next
    variance = predicted - gain * predicted
    return FilteredLevel(rssi: next, variance: .nan)
  }
}

extension FilterKind {
  static let peerKalmanJS = causal(
    "peer-kalmanjs", "kalmanjs with 0.008 and 4, to compare", []
  ) { _, _ in PeerKalmanJS() }
}
