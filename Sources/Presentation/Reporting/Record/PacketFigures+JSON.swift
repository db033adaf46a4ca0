package import Advertising
package import Support

extension PacketFigures {
  /// The members of a report in JSON.
  package var json: [String: JSONValue] {
    [
      "packets": .integer(counts.packets),
      "packets_with_reports": .integer(counts.packetsWithReports),
      "other_events": .object(
        Dictionary(uniqueKeysWithValues: otherEvents.map { ($0.kind, .integer($0.count)) })),
      "rejected_packets": .integer(counts.rejectedPackets),
      "reports": .integer(reports),
      "joined_fragments": .integer(counts.joinedFragments),
      "pointers": .integer(counts.pointers),
      "rejected_reports": .integer(counts.rejectedReports),
      "bytes_unread": .integer(counts.unreadBytes),
    ]
  }
}
