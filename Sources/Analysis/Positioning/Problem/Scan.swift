/// A question about a target's position at a time, with all that was received to answer it.
///
/// The scans of one target in one trace are in order of their instants. Algorithms without memory
/// use only the ``observations`` of each; trackers use ``readings``, which no two scans share.
public struct Scan: Equatable, Sendable {
  /// The instant of the last usable sighting, except for smoothers, in nanoseconds since the Unix
  /// epoch.
  public var instant: Int64
  /// The time of the requested position, not later than ``instant``.
  ///
  /// It is before the instant if the ground truth applies to the middle of the window: a tracker
  /// may then look back, as the mean of a window does.
  public var asked: Int64
  /// The start of the window, exclusive.
  public var start: Int64
  /// One level per anchor that was received in the window.
  public var observations: [Observation]
  /// The readings since the previous scan, in order of time; empty if their times are unknown, as
  /// in scans that combine several visits.
  public var readings: [Reading]

  /// Creates a scan; times are in nanoseconds, and the requested time is the instant by default.
  public init(
    instant: Int64, asked: Int64? = nil, start: Int64, observations: [Observation],
    readings: [Reading] = []
  ) {
    self.instant = instant
    self.asked = asked ?? instant
    self.start = start
    self.observations = observations
    self.readings = readings
  }
}

extension Scan {
  /// A Boolean value that is true if the levels are those of a whole stop, or of several visits of
  /// one place.
  var isStop: Bool { readings.isEmpty && !observations.isEmpty }
}

/// The level of one anchor in a short time: that of a packet, or the mean of several.
public struct Reading: Equatable, Sendable {
  /// The time of reception, in nanoseconds since the Unix epoch.
  public var time: Int64
  /// The number of the anchor: its index in ``Surroundings/anchors``.
  public var anchor: Int
  /// The level, in dBm.
  public var rssi: Double
  /// The number of packets in the mean.
  public var packets: Int

  /// Creates a reading from its time in nanoseconds and its level in dBm.
  public init(time: Int64, anchor: Int, rssi: Double, packets: Int = 1) {
    self.time = time
    self.anchor = anchor
    self.rssi = rssi
    self.packets = packets
  }
}
