/// The columns of sightings that a stage needs; reading fewer is faster.
public struct SightingFields: OptionSet, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  public static let time = SightingFields(rawValue: 1)
  /// Beacon, receiver and trace.
  public static let link = SightingFields(rawValue: 2)
  public static let rssi = SightingFields(rawValue: 4)
  public static let dwell = SightingFields(rawValue: 8)
  public static let payload = SightingFields(rawValue: 16)
  public static let channel = SightingFields(rawValue: 32)
  /// Advertiser, event type, PHYs, SID, transmit power and data status.
  public static let radio = SightingFields(rawValue: 64)
  /// All columns.
  public static let all: SightingFields = [.time, .link, .rssi, .dwell, .payload, .channel, .radio]
  /// The advertiser alone.
  package static let sender = SightingFields(rawValue: 128)
}
