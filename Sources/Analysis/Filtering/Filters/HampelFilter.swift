import Support

/// A filter that replaces outliers by the median of their time window.
///
///     x = m if |z − m| > k · 1.4826 · max(MAD, floor), else z
///
/// m is the median of the window that ends with the level, and MAD the median absolute deviation
/// from m; 1.4826 MAD is the standard deviation of Gaussian levels. Levels in steps of 1 dB often
/// have a MAD of 0, which would make every step an outlier, hence the floor. Source: Hampel, "The
/// influence curve and its role in robust estimation", 1974; Pearson, "Outliers in process modeling
/// and identification", 2002 (whose window is centred; this one is not). O(w) per sighting, for w
/// levels in the window.
public struct HampelFilter: LevelFilter {
  /// The largest distance of a level from the median, in standard deviations.
  public let k: Double
  /// The smallest MAD, in dB.
  public let floor: Double
  private var levels: SortedWindow

  /// Creates the filter.
  ///
  /// - Parameters:
  ///   - window: the length of the window, above 0; a level as old as this has left it.
  ///   - k: at least 0.
  ///   - floor: dB, at least 0.
  public init(window: Duration, k: Double, floor: Double) {
    self.k = k
    self.floor = floor
    levels = SortedWindow(length: window.nanoseconds)
  }

  public mutating func update(time: Int64, rssi: Double, channel: UInt8 = 255) -> FilteredLevel {
    levels.add(rssi, at: time)
    let median = levels.median
    let scale = 1.4826 * max(medianDistance(to: median), floor)
    let isOutlier = abs(rssi - median) > k * scale
    return FilteredLevel(rssi: isOutlier ? median : rssi, variance: .nan)
  }

  /// Returns the median absolute deviation. The levels below the median and those above are each
  /// sorted by distance, so it is found by merging outwards.
  private func medianDistance(to median: Double) -> Double {
    let count = levels.count
    var below = (count - 1) / 2
    var above = below + 1
    var last = 0.0
    var distance = 0.0
    for _ in 0...(count / 2) {
      let lower = below >= 0 ? median - levels[below] : .infinity
      let higher = above < count ? levels[above] - median : .infinity
      last = distance
      if lower <= higher {
        distance = lower
        below -= 1
      } else {
        distance = higher
        above += 1
      }
    }
    return count % 2 == 1 ? distance : (last + distance) / 2
  }
}

extension FilterKind {
  static let hampel = causal(
    "hampel", "outliers become the median",
    [
      .time("window", default: "2s", "length of the window"),
      .number(
        "k", in: 0...1e9, default: "3", "largest deviation from the median, in standard deviations"),
      .number(
        "floor", in: 0...1e9, unit: "dB", default: "1", "smallest median absolute deviation"),
    ]
  ) { values, _ in
    HampelFilter(
      window: values.duration("window"), k: values.number("k"), floor: values.number("floor"))
  }
}
