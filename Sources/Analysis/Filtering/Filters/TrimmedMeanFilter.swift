import Support

/// The mean of a time window without its lowest and its highest levels.
///
/// It trims g = ⌊trim n⌋ of n levels on each side, so that h = n − 2 g remain:
///
///     x = Σ kept z / h        variance = S / (h (h − 1)), at least 1/12 / h
///
/// S is the sum of squares of the Winsorized levels, in which each trimmed level is replaced by the
/// nearest one kept. As for the mean, the levels are assumed to be independent readings of one
/// mean; the variance is NaN for h = 1. Source: Yuen, "The two-sample trimmed t for unequal
/// population variances", Biometrika 61, 1974. O(w) per sighting, for w levels in the window.
public struct TrimmedMeanFilter: LevelFilter {
  /// The share trimmed on each side.
  public let trim: Double
  private var levels: SortedWindow

  /// Creates the filter.
  ///
  /// - Parameters:
  ///   - window: the length of the window, above 0; a level as old as this has left it.
  ///   - trim: share left out on each side, from 0 up to but not 0.5.
  public init(window: Duration, trim: Double) {
    self.trim = trim
    levels = SortedWindow(length: window.nanoseconds)
  }

  public mutating func update(time: Int64, rssi: Double, channel: UInt8 = 255) -> FilteredLevel {
    levels.add(rssi, at: time)
    let count = levels.count
    let cut = min(Int(trim * Double(count)), (count - 1) / 2)
    var kept = Moments()
    for index in cut..<(count - cut) { kept.add(levels[index]) }
    guard kept.count > 1 else { return FilteredLevel(rssi: kept.mean, variance: .nan) }
    var ends = Moments()
    ends.count = 2 * Double(cut)
    let (low, high) = (levels[cut], levels[count - 1 - cut])
    ends.mean = (low + high) / 2
    ends.squares = Double(cut) * (high - low) * (high - low) / 2
    let spread = max(kept.joined(ends).squares / (kept.count - 1), roundingVariance)
    return FilteredLevel(rssi: kept.mean, variance: spread / kept.count)
  }
}

extension FilterKind {
  static let trimmedMean = causal(
    "trimmed-mean", "mean without the extremes",
    [
      .time("window", default: "2s", "length of the window"),
      .share("trim", below: 0.5, default: "0.1", "share trimmed on each side"),
    ]
  ) { values, _ in
    TrimmedMeanFilter(window: values.duration("window"), trim: values.number("trim"))
  }
}
