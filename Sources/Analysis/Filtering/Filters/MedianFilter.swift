import Support

/// The median of the levels in a window of time that ends with the newest one.
///
/// It ignores single outliers, but three advertising channels with different fades make a still
/// beacon's levels multi-modal, where the median is worse than the mean; see
/// docs/filters/median.md.
///
/// ```swift
/// var filter = MedianFilter(window: 2_000_000_000)
/// let level = filter.update(time: 1_000_000_000, rssi: -61)
/// print(level.rssi)
/// ```
public struct MedianFilter: LevelFilter {
  private var levels: SortedWindow

  /// - Parameter window: nanoseconds, above 0; a level as old as this has left the window.
  public init(window: Int64) { levels = SortedWindow(length: window) }

  @inline(__always)
  public mutating func update(time: Int64, rssi: Double, channel: UInt8 = 255) -> FilteredLevel {
    levels.add(rssi, at: time)
    return FilteredLevel(rssi: levels.median, variance: .nan)
  }
}

extension FilterKind {
  static let median = causal(
    "median", "median over a window of time",
    [.time("window", default: "2s", "length of the window")]
  ) { values, _ in MedianFilter(window: values.nanoseconds("window")) }
}
