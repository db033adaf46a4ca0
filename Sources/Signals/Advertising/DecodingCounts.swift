/// The counts of packets and of the advertising reports in them, by outcome.
///
/// A packet is a record of a recording, an HCI event of a controller, or a message of a gateway.
/// Each packet has one outcome, and so has each report; both add up:
///
///     packets = packetsWithReports + otherEvents.total + rejectedPackets
///     reports = sightings + joinedFragments + pointers + rejectedReports
///
/// Fragments of an advertisement whose rest is awaited are not a sighting yet, so reports add up
/// only after the decoder was flushed.
public struct DecodingCounts: Equatable, Sendable {
  /// The packets with at least one report, including rejected ones.
  public var packetsWithReports = 0
  /// The packets with more than one report.
  public var packetsWithSeveralReports = 0
  /// The valid packets of other kinds.
  package var otherEvents = PacketKindCounts()
  /// The packets that were rejected entirely.
  public var rejectedPackets = 0
  /// The delivered reports, one for all the fragments of an extended advertisement.
  public var sightings = 0
  /// The fragments that were joined to an earlier one.
  public var joinedFragments = 0
  /// The packets that only announce an extended advertisement (ADV_EXT_IND).
  public var pointers = 0
  /// The rejected reports of otherwise valid packets.
  public var rejectedReports = 0
  /// The bytes of recordings outside complete records.
  package var unreadBytes = 0
  /// The rejected packets and reports, by reason, with the missing parts of delivered reports.
  public private(set) var rejections = RejectionCounts()

  /// Creates counts of zero.
  public init() {}

  /// The packets and reports that end prematurely.
  package var cutReports: Int {
    rejections[.truncatedReport] + rejections[.truncatedEvent] + rejections[.truncatedPacket]
  }

  /// The packets of all outcomes.
  public var packets: Int { packetsWithReports + otherEvents.total + rejectedPackets }

  /// The reports of all outcomes.
  public var reports: Int { sightings + joinedFragments + pointers + rejectedReports }

  /// Counts a packet that is rejected entirely.
  public mutating func rejectPacket(_ reason: Rejection) {
    rejectedPackets += 1
    rejections.add(reason)
  }

  /// Counts packets that are rejected entirely.
  public mutating func rejectPackets(_ reasons: RejectionCounts) {
    rejectedPackets += reasons.total
    rejections.merge(reasons)
  }

  /// Counts a report that is rejected.
  public mutating func rejectReport(_ reason: Rejection) {
    rejectedReports += 1
    rejections.add(reason)
  }

  /// Counts a reason for a missing part of a delivered report.
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
