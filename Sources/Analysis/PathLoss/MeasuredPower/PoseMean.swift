/// The level of one pose.
package struct PoseMean: Equatable, Sendable {
  /// Packets with a level.
  package var samples: Int
  /// The 10 % trimmed mean, dBm.
  package var trimmedMean: Double
  /// The standard deviation of single packets, dB.
  package var deviation: Double?
  /// The trimmed means of the channels that are known, in order of the channels.
  package var channels: [Channel]

  package struct Channel: Equatable, Sendable {
    /// 37, 38 or 39.
    package var channel: UInt8
    package var samples: Int
    /// dBm.
    package var trimmedMean: Double
  }

  /// Nil of no packets.
  package init?(_ levels: PoseLevels) {
    guard let mean = levels.trimmedMean() else { return nil }
    samples = levels.samples
    trimmedMean = mean
    deviation = levels.deviation
    channels = levels.channels.compactMap { channel in
      let samples = levels.levels(channel: channel).reduce(0) { $0 + $1.count }
      return levels.trimmedMean(channel: channel).map {
        Channel(channel: channel, samples: samples, trimmedMean: $0)
      }
    }
  }

  /// The mean of the channels' means, dBm, for which it does not matter how the receiver divided
  /// its time among them; nil unless all three advertising channels were heard.
  package var channelBalanced: Double? {
    guard channels.map(\.channel) == [37, 38, 39] else { return nil }
    return channels.reduce(0) { $0 + $1.trimmedMean } / 3
  }
}
