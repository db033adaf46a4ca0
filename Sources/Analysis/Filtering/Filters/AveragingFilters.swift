import RealModule
import Support

/// The mean, in dB, of the levels in a time window that ends with the latest one.
///
///     x = Σ z / n        variance = s² / n        s² = Σ (z − x)² / (n − 1), at least 1/12
///
/// The variance assumes independent readings of a mean that is constant in the window; it is NaN
/// for a single level. O(1) per sighting on average.
public struct MeanFilter: LevelFilter {
  private var levels: WindowMoments

  /// Creates the filter.
  ///
  /// - Parameter window: the length of the window, above 0; a level as old as this has left it.
  public init(window: Duration) { levels = WindowMoments(length: window.nanoseconds) }

  public mutating func update(time: Int64, rssi: Double, channel: UInt8 = 255) -> FilteredLevel {
    levels.add(rssi, at: time)
    let n = levels.moments.count
    guard n > 1 else { return FilteredLevel(rssi: levels.moments.mean, variance: .nan) }
    let spread = max(levels.moments.squares / (n - 1), roundingVariance)
    return FilteredLevel(rssi: levels.moments.mean, variance: spread / n)
  }
}

extension FilterKind {
  static let mean = causal(
    "mean", "mean over a time window",
    [.time("window", default: "2s", "length of the window")]
  ) { values, _ in MeanFilter(window: values.duration("window")) }
}

/// The median of the levels in a time window that ends with the latest one.
///
/// It ignores single outliers, but three advertising channels with different fading make the levels
/// of a beacon at rest multimodal, for which the median is worse than the mean; see
/// docs/filters/median.md.
///
/// ```swift
/// var filter = MedianFilter(window: .seconds(2))
/// let level = filter.update(time: 1_000_000_000, rssi: -61)
/// print(level.rssi)
/// ```
public struct MedianFilter: LevelFilter {
  private var levels: SortedWindow

  /// Creates the filter.
  ///
  /// - Parameter window: the length of the window, above 0; a level as old as this has left it.
  public init(window: Duration) { levels = SortedWindow(length: window.nanoseconds) }

  @inline(__always)
  public mutating func update(time: Int64, rssi: Double, channel: UInt8 = 255) -> FilteredLevel {
    levels.add(rssi, at: time)
    return FilteredLevel(rssi: levels.median, variance: .nan)
  }
}

extension FilterKind {
  static let median = causal(
    "median", "median over a time window",
    [.time("window", default: "2s", "length of the window")]
  ) { values, _ in MedianFilter(window: values.duration("window")) }
}

/// The exponentially weighted mean of the levels, in real time: the weight of a level decays as
/// e^(−t/τ).
///
///     x ← x + (1 − e^(−h/τ)) (z − x)
///
/// h is the time since the last level, so a gap of 5 s forgets more than one of 0.1 s; levels of
/// the same time count as one, their mean. The start is the first level. If levels come every h
/// seconds, a Kalman filter of a random walk becomes this filter with τ = √(r h/q). O(1) per
/// sighting.
public struct EWMAFilter: LevelFilter {
  /// The time constant, in seconds.
  public let tau: Double
  private var newest = Instant()
  private var before = 0.0
  private var gain = 1.0

  /// Creates the filter.
  ///
  /// - Parameter tau: the time constant, above 0.
  public init(tau: Duration) { self.tau = Double(tau.nanoseconds) * 1e-9 }

  public mutating func update(time: Int64, rssi: Double, channel: UInt8 = 255) -> FilteredLevel {
    let last = between(before, newest.mean, share: gain)
    if newest.add(rssi, at: time) {
      before = last
      gain = -.expMinusOne(-newest.seconds / tau)
    }
    return FilteredLevel(rssi: between(before, newest.mean, share: gain), variance: .nan)
  }
}

extension FilterKind {
  static let ewma = causal(
    "ewma", "exponentially weighted mean in real time",
    [.time("tau", default: "1s", "time in which a level's weight falls to 37 %")]
  ) { values, _ in EWMAFilter(tau: values.duration("tau")) }
}
