package import NumericalMethods

/// What levels on one channel of a receiver, or of a beacon, lie above their mean over channels.
package struct ChannelOffset: Codable, Equatable, Sendable {
  /// Nil = of a receiver.
  package var beacon: String?
  /// Nil = of a beacon.
  package var receiver: String?
  package var channel: UInt8
  /// dB.
  package var offset: Double
  /// dB; nil where there are too few positions.
  package var standardError: Double?
  /// 95 % confidence interval, dB.
  package var interval: Interval?
  /// Readings on the channel.
  package var samples: Int

  private enum CodingKeys: String, CodingKey {
    case beacon, receiver, channel, samples
    case offset = "offset_db"
    case standardError = "standard_error_db"
    case interval = "ci95_db"
  }

  package init(beacon: String? = nil, receiver: String? = nil, channel: UInt8, offset: Double) {
    (self.beacon, self.receiver, self.channel, self.offset) = (beacon, receiver, channel, offset)
    samples = 0
  }

  /// Returns whether a fit may have written them: they are few, and no two are of the same.
  static func areSound(_ offsets: [ChannelOffset]) -> Bool {
    offsets.count <= (ChannelOffsetFit.most + 1) * channels.count
      && offsets.allSatisfy(\.isSound)
      && Set(offsets.map { [$0.receiver, $0.beacon, String($0.channel)] }).count == offsets.count
  }

  private var isSound: Bool {
    (beacon == nil) != (receiver == nil) && ChannelOffset.channels.contains(channel)
      && abs(offset) < 200 && (0..<1 << 53).contains(samples)
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(beacon, forKey: .beacon)
    try values.encode(receiver, forKey: .receiver)
    try values.encode(channel, forKey: .channel)
    try values.encode(offset, forKey: .offset)
    try values.encode(standardError, forKey: .standardError)
    try values.encode(interval, forKey: .interval)
    try values.encode(samples, forKey: .samples)
  }

  /// The channels that have offsets: those of advertising.
  package static let channels: ClosedRange<UInt8> = 37...39
}

/// Whose antennas receive or send channels differently.
public enum ChannelOffsetScope: String, CaseIterable, Codable, Sendable {
  /// Offsets of each receiver.
  case receiver
  /// Offsets of each beacon.
  case beacon
  /// Offsets of each receiver, and what each beacon adds to them.
  case both
  /// No offsets.
  case none
}
