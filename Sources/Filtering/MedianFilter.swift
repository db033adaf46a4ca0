/// The median of the levels in a window of time that ends with the newest one.
///
/// It ignores single outliers, but three advertising channels with different fades make a still
/// beacon's levels multi-modal, where the median is worse than the mean; see docs/filters.md.
/// O(log w) comparisons and O(w) moves a sighting, for w levels in the window.
public struct MedianFilter: LevelFilter {
  /// Length of the window, nanoseconds: a level as old as this has left it.
  public let window: Int64
  private var times: [Int64] = []
  private var levels: [Double] = []
  /// Index of the oldest level still in the window; what is before it is dropped now and then.
  private var oldest = 0
  private var sorted: [Double] = []

  /// - Parameter window: nanoseconds, above 0.
  public init(window: Int64) { self.window = window }

  public mutating func update(time: Int64, rssi: Double, channel: UInt8 = 255) -> FilteredLevel {
    // A late sighting is taken as new: it must not drop younger ones.
    let now = max(time, times.last ?? time)
    // No level has an age that is beyond UInt64, while `now - window` may be beyond Int64.
    while oldest < times.count, UInt64(bitPattern: now &- times[oldest]) >= UInt64(window) {
      sorted.remove(at: lowerBound(of: levels[oldest]))
      oldest += 1
    }
    if oldest > 64, oldest * 2 > times.count {
      times.removeFirst(oldest)
      levels.removeFirst(oldest)
      oldest = 0
    }
    times.append(now)
    levels.append(rssi)
    sorted.insert(rssi, at: lowerBound(of: rssi))
    let middle = sorted.count / 2
    let median =
      sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    return FilteredLevel(rssi: median, variance: .nan)
  }

  private func lowerBound(of value: Double) -> Int {
    var low = 0
    var high = sorted.count
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle] < value { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension FilterKind {
  static let median = causal(
    "median", "median over a window of time",
    [.time("window", default: "2s", "length of the window")]
  ) { values, _ in MedianFilter(window: values.nanoseconds("window")) }
}
