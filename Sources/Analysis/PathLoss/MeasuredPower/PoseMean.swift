/// The level of one pose.
public struct PoseMean: Equatable, Sendable {
  /// The number of packets with a level.
  public var samples: Int
  /// The 10 % trimmed mean, in dBm.
  public var trimmedMean: Double
  /// The mean of all packets, in dBm: the level that a path-loss fit estimates.
  ///
  /// Fading has a tail of weak packets, so the trimmed mean is above it: by 0.2 to 0.5 dB under
  /// Rician fading, and by at most 0.54 dB for any ratio of it.
  public var mean: Double
  /// The standard deviation of single packets, in dB.
  public var deviation: Double?
  /// The trimmed means of the known channels, in order of the channels.
  public var channels: [Channel]

  /// The level of one pose on one channel.
  public struct Channel: Equatable, Sendable {
    /// The advertising channel: 37, 38 or 39.
    public var channel: UInt8
    /// The number of packets on the channel.
    public var samples: Int
    /// The 10 % trimmed mean, in dBm.
    public var trimmedMean: Double
  }

  /// Creates the mean of a pose, or returns `nil` if it has no packets.
  public init?(_ levels: PoseLevels) {
    guard let trimmed = levels.trimmedMean(), let mean = levels.mean else { return nil }
    samples = levels.samples
    trimmedMean = trimmed
    self.mean = mean
    deviation = levels.deviation
    channels = levels.channels.compactMap { channel in
      let samples = levels.levels(channel: channel).reduce(0) { $0 + $1.count }
      return levels.trimmedMean(channel: channel).map {
        Channel(channel: channel, samples: samples, trimmedMean: $0)
      }
    }
  }

  /// The mean of the channels' means, in dBm, which does not depend on how the receiver divides its
  /// time among channels; `nil` unless all three advertising channels were received.
  public var channelBalanced: Double? {
    guard channels.map(\.channel) == [37, 38, 39] else { return nil }
    return channels.reduce(0) { $0 + $1.trimmedMean } / 3
  }
}

/// The counts of each level in one pose, by radio channel: the input of a calibration.
///
/// Levels are whole decibels, so memory does not grow with the number of packets.
public struct PoseLevels: Sendable {
  private struct Reading: Hashable {
    var level: Float
    var channel: UInt8
  }

  private var counts: [Reading: Int] = [:]
  /// The number of packets.
  public private(set) var samples = 0

  /// The smallest number of packets of a pose with a mean: with fewer, a tenth at either end is
  /// less than one packet.
  public static let fewest = 10

  /// Creates the levels of a pose without packets.
  public init() {}

  /// Adds one packet.
  ///
  /// - Parameters:
  ///   - level: The level in dBm, finite.
  ///   - channel: 37, 38 or 39; 255 for unknown.
  public mutating func add(_ level: Float, channel: UInt8 = 255) {
    counts[Reading(level: level, channel: channel), default: 0] += 1
    samples += 1
  }

  /// The channels of the received packets, in order; empty if none is known.
  public var channels: [UInt8] { Set(counts.keys.map(\.channel)).filter { $0 != 255 }.sorted() }

  /// Returns the levels in order, for one channel or for all packets.
  public func levels(channel: UInt8? = nil) -> [LevelCount] {
    var sums: [Float: Int] = [:]
    for (reading, count) in counts where channel == nil || reading.channel == channel {
      sums[reading.level, default: 0] += count
    }
    return sums.sorted { $0.key < $1.key }.map {
      LevelCount(level: Double($0.key), channel: channel ?? 255, count: $0.value)
    }
  }
}
