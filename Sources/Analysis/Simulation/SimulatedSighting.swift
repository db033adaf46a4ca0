/// One packet that the simulated receiver heard, with the truth that a real one would not know.
package struct SimulatedSighting: Hashable, Sendable {
  /// When it was heard, in nanoseconds since the Unix epoch.
  package let time: Int64
  /// Index of the walk, or of the dwell of a calibration session.
  package let trace: Int
  /// Index of the beacon.
  package let beacon: Int
  /// What the receiver reports, in whole dBm.
  package let rssi: Int8
  /// The radio channel: 37, 38 or 39.
  package let channel: UInt8
  /// True mean level in dBm: path loss and shadowing, without channel fading and packet noise.
  package let meanRSSI: Double
  /// True straight-line distance, height included, in metres.
  package let distance: Double
}
