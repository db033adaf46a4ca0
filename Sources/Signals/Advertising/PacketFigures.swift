import Support

/// The packets of recordings and captures by outcome, for reports.
public struct PacketFigures: Sendable {
  /// The underlying counts.
  public let counts: DecodingCounts
  /// The delivered reports that were kept, and those that were not selected.
  private let sightings: Int
  private let leftOut: Int

  /// Creates the statistics of packets whose reports were all kept.
  public init(_ counts: DecodingCounts) {
    self.init(counts, sightings: counts.sightings, leftOut: 0)
  }

  /// Creates the statistics of packets of which some reports were not selected.
  ///
  /// - Parameters:
  ///   - sightings: The number of reports that were kept.
  ///   - leftOut: The number of reports that were not selected.
  public init(_ counts: DecodingCounts, sightings: Int, leftOut: Int) {
    self.counts = counts
    self.sightings = sightings
    self.leftOut = leftOut
  }

  /// The number of reports, kept or not.
  public var reports: Int {
    sightings + leftOut + counts.joinedFragments + counts.pointers + counts.rejectedReports
  }

  /// The counts of events without reports, by kind.
  public var otherEvents: [(kind: String, count: Int)] {
    counts.otherEvents.map { ($0.kind.description, $0.count) }
  }

  /// The lines of a text report: labels with their values; none about reports if each is a
  /// sighting.
  public var lines: [(label: String, value: String)] {
    guard counts.packets > 0 else { return [] }
    let packets = sum(
      counts.packets,
      [
        (counts.packetsWithReports, "with reports"), (counts.otherEvents.total, "other"),
        (counts.rejectedPackets, "refused"),
      ])
    guard reports != sightings else { return [("packets", packets)] }
    let parts = sum(
      reports,
      [
        (sightings, "sightings"), (leftOut, "left out"),
        (counts.joinedFragments, "joined fragments"), (counts.pointers, "pointers"),
        (counts.rejectedReports, "refused"),
      ])
    return [("packets", packets), ("reports", parts)]
  }

  /// Returns the kinds of the packets, as a clause, if none gave a sighting, or `nil` if there is
  /// one.
  ///
  /// - Parameter refused: The rejections of a live source itself, by reason.
  public func emptiness(refused: [String: UInt64] = [:]) -> String? {
    guard counts.packets > 0, sightings + leftOut == 0 else { return nil }
    var kinds = otherEvents
    let reasons = Dictionary(counts.rejections.map { ($0.reason.rawValue, UInt64($0.count)) }) {
      $1
    }
    .merging(refused) { $1 }
    kinds += reasons.map { ("refused as " + $0.key, Int(clamping: $0.value)) }
    let told = kinds.sorted { ($1.count, $0.kind) < ($0.count, $1.kind) }.prefix(3)
      .map { "\($0.count) \($0.kind)" }
    return counted(counts.packets, "packet") + ", but no sighting"
      + (told.isEmpty ? "" : ": " + told.joined(separator: ", ") + (kinds.count > 3 ? ", …" : ""))
  }

  /// Returns a number with its parts that are not zero.
  private func sum(_ total: Int, _ parts: [(count: Int, name: String)]) -> String {
    let told = parts.filter { $0.count > 0 }.map { "\($0.count) \($0.name)" }
    return "\(total)" + (told.isEmpty ? "" : ": " + told.joined(separator: ", "))
  }
}
