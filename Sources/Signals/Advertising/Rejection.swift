/// The reason why received data did not become a complete report.
///
/// One vocabulary for every source, so that counts can be added across files and adapters.
public enum Rejection: String, CaseIterable, Error, Sendable {
  /// The event ends before its subevent code or its number of reports.
  case truncatedEvent = "truncated-event"
  /// The event is shorter than the length in its header, and truncates this report; complete ones
  /// before it count.
  case truncatedReport = "truncated-report"
  /// The lengths in the event contradict each other, so no boundary in it can be trusted.
  case badLength = "bad-length"
  /// The event announces no report.
  case noReports = "no-reports"
  /// The report's event type is reserved.
  case reservedEventType = "reserved-event-type"
  /// The report's address type is reserved.
  case reservedAddressType = "reserved-address-type"
  /// The report's data status is reserved.
  case reservedDataStatus = "reserved-data-status"
  /// Fragments that announced more never got it in time; they are delivered with data status 1.
  case incompleteData = "incomplete-data"
  /// Fragments that add up to more than 1650 bytes; the first 1650 are delivered with data status
  /// 2.
  case oversizedData = "oversized-data"
  /// A packet is shorter than its headers, or than the length in them.
  case truncatedPacket = "truncated-packet"
  /// The checksum of a link-layer packet is wrong: some of its bits, maybe of the address, are
  /// wrong.
  case badCRC = "bad-crc"
  /// A link-layer PDU has a reserved type.
  case reservedPDUType = "reserved-pdu-type"
  /// A link-layer packet has a reserved PHY, so its layout is unknown.
  case reservedPHY = "reserved-phy"
  /// An extended advertisement has no address, and the PDU with the address was not received.
  case unknownSender = "unknown-sender"
  /// A sniffer's packet has a protocol version with an unknown layout.
  case unsupportedVersion = "unsupported-version"
  /// A packet has a link type that does not carry Bluetooth LE, or is not supported.
  case unsupportedLinkType = "unsupported-link-type"
  /// A recording ends within a record.
  case truncatedRecord = "truncated-record"
  /// A record has an impossible length, so the rest of the recording cannot be framed.
  case oversizedRecord = "oversized-record"
  /// The framing of a recording contradicts itself; the rest of it cannot be read.
  case damagedRecord = "damaged-record"
  /// A record has a time outside the years 1678 to 2262, or an invalid fraction of a second.
  case badTime = "bad-time"
  /// A line of a text is a report with a missing or invalid value, or is too long.
  case badLine = "bad-line"
}

/// The number of rejections for each reason.
public struct RejectionCounts: Equatable, Sendable {
  private static let reasons = Rejection.allCases
  /// The counts, one per reason, in the order of `Rejection.allCases`.
  private var counts = [Int](repeating: 0, count: Self.reasons.count)

  /// Creates counts of zero.
  public init() {}

  /// Returns the count of one reason.
  public subscript(reason: Rejection) -> Int { counts[Self.index(of: reason)] }

  /// The count of all reasons.
  public var total: Int { counts.reduce(0, +) }

  /// Counts one rejection.
  public mutating func add(_ reason: Rejection) { counts[Self.index(of: reason)] += 1 }

  /// Adds the counts of another source.
  public mutating func merge(_ other: RejectionCounts) {
    for index in counts.indices { counts[index] += other.counts[index] }
  }

  private static func index(of reason: Rejection) -> Int {
    var index = 0
    while reasons[index] != reason { index += 1 }
    return index
  }
}

extension RejectionCounts: Sequence {
  /// Returns the reasons that occurred, with their counts, in the order of `Rejection.allCases`.
  public func makeIterator() -> some IteratorProtocol<(reason: Rejection, count: Int)> {
    zip(Self.reasons, counts).lazy.filter { $0.1 > 0 }.map { (reason: $0.0, count: $0.1) }
      .makeIterator()
  }
}
