/// A question, where the target was, and all that was heard to answer it.
///
/// The scans of one target in one trace come in the order of their instants. Algorithms without
/// memory use ``observations`` of each alone; trackers use ``readings``, which no two scans share.
public struct Scan: Equatable, Sendable {
  /// What was heard later than this is not used, unless by a smoother; nanoseconds since the Unix
  /// epoch.
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
  /// What was heard since the scan before, in order of time; empty where the times are not known,
  /// as for scans that join several visits.
  public var readings: [Reading]

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

/// What one anchor was heard at in a short time: a packet, or the mean of some.
public struct Reading: Equatable, Sendable {
  /// Nanoseconds since the Unix epoch.
  public var time: Int64
  /// The anchor's number: its place in ``Surroundings/anchors``.
  public var anchor: Int
  /// The level, dBm.
  public var rssi: Double
  /// How many packets are behind it.
  public var packets: Int

  public init(time: Int64, anchor: Int, rssi: Double, packets: Int = 1) {
    self.time = time
    self.anchor = anchor
    self.rssi = rssi
    self.packets = packets
  }
}
