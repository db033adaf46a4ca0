import Support

/// The mean of the means of the advertising channels in a time window.
///
/// The three channels fade differently, so the mean of all levels varies with the channels that
/// happen to be received. Here each received channel in the window counts once:
///
///     x = Σ x_c / m        variance = s² Σ (1 / n_c) / m²        over the m channels received
///
/// with s² the variance about the channels' own means, Σ (z − x_c)² / (n − m), at least 1/12 dB²;
/// it is NaN if no channel has two levels. Levels on unknown or other channels than 37 to 39 form a
/// separate group. O(1) per sighting on average.
public struct ChannelMeanFilter: LevelFilter {
  /// The windows of channels 37, 38 and 39, and of all others.
  private var groups: [WindowMoments]

  /// Creates the filter.
  ///
  /// - Parameter window: the length of the window, above 0; a level as old as this has left it.
  public init(window: Duration) {
    groups = [WindowMoments](repeating: WindowMoments(length: window.nanoseconds), count: 4)
  }

  public mutating func update(time: Int64, rssi: Double, channel: UInt8 = 255) -> FilteredLevel {
    let group = 37...39 ~= channel ? Int(channel) - 37 : 3
    var level = 0.0
    var channels = 0.0
    var count = 0.0
    var squares = 0.0
    var reciprocals = 0.0
    for index in 0..<4 {
      groups[index].advance(to: time)
      if index == group { groups[index].add(rssi, at: time) }
      let moments = groups[index].moments
      guard moments.count > 0 else { continue }
      channels += 1
      level += (moments.mean - level) / channels
      count += moments.count
      squares += moments.squares
      reciprocals += 1 / moments.count
    }
    guard count > channels else { return FilteredLevel(rssi: level, variance: .nan) }
    let spread = max(squares / (count - channels), roundingVariance)
    return FilteredLevel(rssi: level, variance: spread * reciprocals / (channels * channels))
  }
}

extension FilterKind {
  static let channelMean = causal(
    "channel-mean", "mean in which each channel counts once",
    [.time("window", default: "2s", "length of the window")]
  ) { values, _ in ChannelMeanFilter(window: values.duration("window")) }
}
