/// One packet that the simulated receiver heard, with the truth that a real one would not know.
public struct SimulatedSighting: Hashable, Sendable {
  /// When it was heard, in nanoseconds since the Unix epoch.
  public let time: Int64
  /// Index of the walk, or of the dwell of a calibration session.
  public let trace: Int
  /// Index of the beacon.
  public let beacon: Int
  /// What the receiver reports, in whole dBm.
  public let rssi: Int8
  /// The radio channel: 37, 38 or 39.
  public let channel: UInt8
  /// True mean level in dBm: path loss and shadowing, without channel fading and packet noise.
  public let meanRSSI: Double
  /// True straight-line distance, height included, in metres.
  public let distance: Double
}
