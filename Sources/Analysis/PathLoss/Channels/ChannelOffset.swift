package import NumericalMethods

/// The offset of levels on one channel of a receiver, or of a beacon, from their mean over
/// channels.
package struct ChannelOffset: Codable, Equatable, Sendable {
  /// The beacon; `nil` for an offset of a receiver.
  package var beacon: String?
  /// The receiver; `nil` for an offset of a beacon.
  package var receiver: String?
  package var channel: UInt8
  /// The offset, in dB.
  package var offset: Double
  /// The standard error in dB; `nil` if there are too few positions.
  package var standardError: Double?
  /// The 95 % confidence interval, in dB.
  package var interval: Interval?
  /// The number of readings on the channel.
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

  /// Returns a Boolean value that is true if a fit could have written these offsets: few, without
  /// duplicates.
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

  /// The channels with offsets: the advertising channels.
  package static let channels: ClosedRange<UInt8> = 37...39
}

/// The devices whose channel offsets are fitted.
public enum ChannelOffsetScope: String, CaseIterable, Codable, Sendable {
  /// Offsets of each receiver.
  case receiver
  /// Offsets of each beacon.
  case beacon
  /// Offsets of each receiver, and additional ones of each beacon.
  case both
  /// No offsets.
  case none
}
