/// A question, where the target was, and all that was heard to answer it.
///
/// The scans of one target in one trace come in the order of their instants. Algorithms without
/// memory use ``observations`` of each alone; trackers use ``readings``, which no two scans share.
public struct Scan: Equatable, Sendable {
  /// The instant of the last sighting that may be used, unless by a smoother, in nanoseconds since
  /// the Unix epoch.
  public var instant: Int64
  /// The time at which the position is asked, not later than ``instant``.
  ///
  /// Before the instant where the truth at the middle of the window counts: a tracker may then look
  /// back, as the mean of a window does.
  public var asked: Int64
  /// The time from which on its window was heard, not included.
  public var start: Int64
  /// One level for each anchor that was heard in the window.
  public var observations: [Observation]
  /// The readings since the scan before, in order of time; empty if the times are not known, as for
  /// scans that join several visits.
  public var readings: [Reading]

  /// Creates a scan; times are in nanoseconds, and the time asked is the instant by default.
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

/// The level of one anchor in a short time: of a packet, or the mean of some.
public struct Reading: Equatable, Sendable {
  /// The time of reception, in nanoseconds since the Unix epoch.
  public var time: Int64
  /// The anchor's number: its place in ``Surroundings/anchors``.
  public var anchor: Int
  /// The level, dBm.
  public var rssi: Double
  /// The number of packets that the level is the mean of.
  public var packets: Int

  /// Creates a reading from its time in nanoseconds and its level in dBm.
  public init(time: Int64, anchor: Int, rssi: Double, packets: Int = 1) {
    self.time = time
    self.anchor = anchor
    self.rssi = rssi
    self.packets = packets
  }
}
