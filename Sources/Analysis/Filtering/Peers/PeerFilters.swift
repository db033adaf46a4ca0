/// The mean of the last second, approximately the RSSI of Core Location, only for comparison.
///
/// `CLBeacon.rssi` is an integer, "the average signal strength of the samples received since Core
/// Location last reported the range", which happens once per second; this mean slides and is not
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
    "peer-moving-mean", "mean of the last second, as Core Location, for comparison", []
  ) { _, _ in PeerMovingMean() }
}

/// The published `RunningAverageRssiFilter` of the Android Beacon Library, only for comparison.
///
/// It takes the mean of the n sorted levels of the last 20 s from index ⌊n/10⌋ + 1 to n − ⌊n/10⌋ −
/// 2, and for one or two levels that of all: this trims one level more on each side than the
/// documented 10 %. Source: AltBeacon/android-beacon-library, `RunningAverageRssiFilter.java`.
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
    "peer-altbeacon-mean", "RunningAverageRssiFilter of AltBeacon, for comparison", []
  ) { _, _ in PeerAltBeaconMean() }
}

/// The published `ArmaRssiFilter` of the Android Beacon Library, only for comparison.
///
///     x ← trunc(x − 0.1 (x − z))
///
/// The state is an integer and Java truncates towards 0: see docs/filters/peers.md for the effect.
/// It counts packets, not seconds. Source: AltBeacon/android-beacon-library, `ArmaRssiFilter.java`,
/// `DEFAULT_ARMA_SPEED`.
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
    "peer-altbeacon-arma", "ArmaRssiFilter of AltBeacon, for comparison", []
  ) { _, _ in PeerAltBeaconARMA() }
}

/// The Kalman filter of kalmanjs with a process noise of 0.008 and a measurement noise of 4, as
/// RSSI apps set it, only for comparison.
///
///     P ← P + 0.008        K = P / (P + 4)        x ← x + K (z − x)        P ← (1 − K) P
///
/// Each packet is one step, independent of the elapsed time. Its P is therefore not a variance of
/// the level, and is not returned. Source: wouterbulten/kalmanjs, `kalman.js` (A = C = 1, B = 0).
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
    "peer-kalmanjs", "kalmanjs with 0.008 and 4, for comparison", []
  ) { _, _ in PeerKalmanJS() }
}
