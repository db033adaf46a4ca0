/// The counts of the packets that were read, and of the advertising reports in them, by what became
/// of them.
///
/// A packet is a record of a recording, an HCI event of a controller, or a message of a gateway.
/// Each is of one sort, and so is each report of the packets that carry any; both add up:
///
///     packets = packetsWithReports + otherEvents.total + rejectedPackets
///     reports = sightings + joinedFragments + pointers + rejectedReports
///
/// Fragments of an advertisement whose rest is awaited are not a sighting yet: reports add up once
/// the decoder was flushed.
public struct DecodingCounts: Equatable, Sendable {
  /// Packets that carry at least one report, refused reports included.
  public var packetsWithReports = 0
  /// Among them those that carry more than one.
  public var packetsWithSeveralReports = 0
  /// Sound packets about something else, by kind.
  package var otherEvents = PacketKindCounts()
  /// Packets refused whole.
  public var rejectedPackets = 0
  /// Reports delivered; one for all the fragments of an extended advertisement.
  public var sightings = 0
  /// Fragments that were joined to an earlier one instead of being delivered by themselves.
  public var joinedFragments = 0
  /// Packets that only show where an extended advertisement follows (ADV_EXT_IND).
  public var pointers = 0
  /// Reports refused of packets that are sound otherwise.
  public var rejectedReports = 0
  /// Bytes of recordings that belong to no whole record.
  package var unreadBytes = 0
  /// The refused packets and reports, by reason, and the missing parts of delivered reports.
  public private(set) var rejections = RejectionCounts()

  /// Creates counts of nothing.
  public init() {}

  /// Packets and reports that end before they should.
  package var cutReports: Int {
    rejections[.truncatedReport] + rejections[.truncatedEvent] + rejections[.truncatedPacket]
  }

  /// Packets of every sort.
  public var packets: Int { packetsWithReports + otherEvents.total + rejectedPackets }

  /// Reports of every sort.
  public var reports: Int { sightings + joinedFragments + pointers + rejectedReports }

  /// Counts a packet that is refused whole.
  public mutating func rejectPacket(_ reason: Rejection) {
    rejectedPackets += 1
    rejections.add(reason)
  }

  /// Counts packets that are refused whole.
  public mutating func rejectPackets(_ reasons: RejectionCounts) {
    rejectedPackets += reasons.total
    rejections.merge(reasons)
  }

  /// Counts a report that is refused.
  public mutating func rejectReport(_ reason: Rejection) {
    rejectedReports += 1
    rejections.add(reason)
  }

  /// Counts a reason for which something is missing of a report that is delivered.
  mutating func note(_ reason: Rejection) { rejections.add(reason) }

  /// Adds the counts of another source.
  public mutating func merge(_ other: DecodingCounts) {
    packetsWithReports += other.packetsWithReports
    packetsWithSeveralReports += other.packetsWithSeveralReports
    otherEvents.merge(other.otherEvents)
    rejectedPackets += other.rejectedPackets
    sightings += other.sightings
    joinedFragments += other.joinedFragments
    pointers += other.pointers
    rejectedReports += other.rejectedReports
    unreadBytes += other.unreadBytes
    rejections.merge(other.rejections)
  }
}
