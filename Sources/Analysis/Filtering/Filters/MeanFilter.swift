import Support

/// The mean, in dB, of the levels in a window of time that ends with the newest one.
///
///     x = Σ z / n        variance = s² / n        s² = Σ (z − x)² / (n − 1), at least 1/12
///
/// The variance takes the levels for independent readings of one mean that stays while the window
/// lasts; it is NaN for a single level. O(1) a sighting on average.
package struct MeanFilter: LevelFilter {
  private var levels: WindowMoments

  /// - Parameter window: nanoseconds, above 0; a level as old as this has left the window.
  package init(window: Int64) { levels = WindowMoments(length: window) }

  package mutating func update(time: Int64, rssi: Double, channel: UInt8 = 255) -> FilteredLevel {
    levels.add(rssi, at: time)
    let n = levels.moments.count
    guard n > 1 else { return FilteredLevel(rssi: levels.moments.mean, variance: .nan) }
    let spread = max(levels.moments.squares / (n - 1), roundingVariance)
    return FilteredLevel(rssi: levels.moments.mean, variance: spread / n)
  }
}

extension FilterKind {
  static let mean = causal(
    "mean", "mean over a window of time",
    [.time("window", default: "2s", "length of the window")]
  ) { values, _ in MeanFilter(window: values.nanoseconds("window")) }
}
