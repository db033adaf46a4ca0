public import Advertising

/// The tables to which the indices of sightings refer.
public struct Catalogue: Sendable {
  /// The beacons.
  public var beacons: [Node] = []
  /// The beacons that changed since the tables were last passed on, among those that existed then.
  public var revisedBeacons = 0..<0
  /// The receivers.
  public var receivers: [Node] = []
  /// The names of the continuous recordings.
  public var traces: [String] = []
  /// The floors of the building, in order of first appearance; empty if none is known.
  public var floors: [Floor] = []
  /// The row of the floor of each trace that is on one, by the row of the trace.
  public var traceFloors: [UInt16: UInt16] = [:]
  /// The addresses that transmitted.
  public var advertisers: [DeviceAddress] = []
  /// The addresses from which frames of beacons with their own identities were sent; rows are only
  /// added. A trace file does not store them: `TraceReader.senders(among:)`.
  package var senders: [BeaconSender] = []
  /// The stays of links at known distances.
  public var stays: [DistanceStay] = []
  /// The known places of nodes at instants.
  public var truth: [TruthPoint] = []
  /// The known rooms of nodes, each from a time on.
  public var rooms: [RoomMark] = []
  /// The true mean levels of links; rows are only added.
  package var levels: [TruthLevel] = []
  /// The times in which receivers lost something.
  public var gaps: [Gap] = []
  /// The readings of the clock of the times.
  package var clock: [ClockReading] = []
  /// The parts of a session that contributed rows; empty for a single trace.
  package var parts: [SessionPart] = []
  /// The offsets of the parts' clocks from the session's time.
  package var offsets: [SessionOffset] = []
  /// The clock of each part of a merged trace.
  package var partClocks: [PartClockReading] = []
  /// The positions in a broker's stream that the rows cover, one per flush.
  package var positions: [StreamPosition] = []
  /// The input that did not become a sighting, by reason, sorted by name of the reason.
  package var rejected: [Rejected] = []

  /// Creates an empty catalogue.
  public init() {}

  /// Records a change of a beacon.
  mutating func revise(_ beacon: Int) {
    revisedBeacons =
      revisedBeacons.isEmpty
      ? beacon..<beacon + 1
      : min(revisedBeacons.lowerBound, beacon)..<max(revisedBeacons.upperBound, beacon + 1)
  }
}

/// An address from which a beacon with its own identity was sent.
package struct BeaconSender: Hashable, Sendable {
  /// The row in the table of beacons.
  package var beacon: UInt32
  /// The address, 48 bits.
  package var address: UInt64

  package init(beacon: UInt32, address: UInt64) { (self.beacon, self.address) = (beacon, address) }
}
