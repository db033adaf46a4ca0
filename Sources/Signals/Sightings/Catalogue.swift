public import Advertising

/// The tables that the indices of sightings point into.
public struct Catalogue: Sendable {
  /// The beacons.
  public var beacons: [Node] = []
  /// Beacons that changed since the tables were handed on last, among those that were there then.
  public var revisedBeacons = 0..<0
  /// The receivers.
  public var receivers: [Node] = []
  /// Names of the continuous recordings.
  public var traces: [String] = []
  /// The addresses that transmitted.
  public var advertisers: [DeviceAddress] = []
  /// The addresses that sent the frames of beacons that name themselves; rows are only added. A
  /// trace file does not keep them: `TraceReader.senders(among:)`.
  package var senders: [BeaconSender] = []
  /// The stays of links at known distances.
  public var stays: [DistanceStay] = []
  /// The known places of nodes at instants.
  public var truth: [TruthPoint] = []
  /// True mean levels of links; rows are only ever added.
  package var levels: [TruthLevel] = []
  /// The times in which receivers lost something.
  public var gaps: [Gap] = []
  /// Readings of the clock that gave the times.
  package var clock: [ClockReading] = []
  /// The parts of a session that the rows are from; a trace of its own has none.
  package var parts: [SessionPart] = []
  /// The offsets of the parts' clocks from the session's time.
  package var offsets: [SessionOffset] = []
  /// In a merged trace, how the clock of each part ran.
  package var partClocks: [PartClockReading] = []
  /// The position in a broker's stream that the rows cover, whenever rows were flushed.
  package var positions: [StreamPosition] = []
  /// Input that did not become a sighting, by reason, in order of the reasons' names.
  package var rejected: [Rejected] = []

  /// Creates an empty catalogue.
  public init() {}

  /// Notes that a beacon changed.
  mutating func revise(_ beacon: Int) {
    revisedBeacons =
      revisedBeacons.isEmpty
      ? beacon..<beacon + 1
      : min(revisedBeacons.lowerBound, beacon)..<max(revisedBeacons.upperBound, beacon + 1)
  }
}

/// An address from which a beacon that names itself was sent.
package struct BeaconSender: Hashable, Sendable {
  /// Its row in the table of beacons.
  package var beacon: UInt32
  /// 48 bits.
  package var address: UInt64

  package init(beacon: UInt32, address: UInt64) { (self.beacon, self.address) = (beacon, address) }
}
