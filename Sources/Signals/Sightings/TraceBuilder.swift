package import Advertising
package import Support

/// The end of every source, which numbers names, addresses and payloads and passes on blocks of
/// rows.
///
/// A row costs no allocation, and memory grows with the number of different names and addresses,
/// not with that of sightings. For a sink that can forget, it is proportional to those in use.
/// use.
package struct TraceBuilder<Sink: SightingSink & ~Copyable>: ~Copyable {
  /// The tables so far.
  package internal(set) var catalogue = Catalogue()
  private var rows: SightingColumns
  /// The block before, whose memory is that of the next one; an array of one is released at once.
  private var previous: [SightingColumns]
  /// The latest rows, few enough for the processor's first-level cache, before they are moved to
  /// the columns.
  private var latest: [Sighting] = []
  private let blockRows: Int
  /// The levels of the current input, with their number of rows.
  private var levels = LevelCensus()
  private var admitted = 0
  /// The missing levels of earlier inputs.
  private var missing = MissingLevels()
  private var hasWarned = false
  /// The recent receptions; `nil` if everything is kept.
  var recency: Recency?
  var mostRows: MostRows

  var beacons = IdentityTable()
  var receivers = NameTable()
  var traces = NameTable()
  var floors = NameTable()
  /// The traces with sightings on several floors, each with the second of them.
  var secondFloors: [UInt16: UInt16] = [:]
  var payloads: PayloadTable
  var advertisers = AddressTable()
  /// The senders, by advertiser.
  var senders: [Sender] = []
  /// The pairs of advertiser and beacon in the tables.
  var knownSenders: Set<UInt64> = []
  /// The latest pairs, by their lowest bits: a beacon with several frames alternates among few.
  var latestSenders = [64 of UInt64](repeating: .max)
  var declaredRoles: [String: NodeRole] = [:]
  private var rejected: [String: UInt64] = [:]
  /// The packets and reports of sources.
  package private(set) var counts = DecodingCounts()
  var openStays = OpenStays()
  /// The first of the two rows of truth for a standing receiver, by receiver.
  var standingTruth: [UInt16: Int] = [:]

  /// The trace of reports, until it is changed.
  package var currentTrace: UInt16 = 0
  /// The receiver of reports; `nil` names each adapter hci0, hci1 and so on.
  package var receiverName: String? {
    didSet {
      adapterReceivers.removeAll()
      lastReceiver = nil
    }
  }
  /// The distance and pose of everything that radios report from now on; `nil` if unknown.
  package var standing: (distance: Double, pose: String)?
  /// The selected times of a trace, from its first time; `nil` for all.
  package var chosenTimes: ((Int64) -> Range<Int64>)?
  /// The selected times of each trace that has a sighting.
  var spans: [UInt16: Range<Int64>] = [:]
  /// The number of sightings at other times, with the range of all times.
  package internal(set) var leftOut = 0
  package internal(set) var allTimes: ClosedRange<Int64>?
  var adapterReceivers: [UInt16: UInt16] = [:]
  /// The latest of them: most reports come from the same adapter as the previous one.
  var lastReceiver: (adapter: UInt16, index: UInt16)?
  /// The sink; it is last, so that the layout of the rest does not depend on its size.
  package var sink: Sink

  /// - Parameters:
  ///   - sink: The sink for the rows.
  ///   - blockRows: The number of rows in a block.
  ///   - keeping: The number of beacons, and of addresses, that are kept after they left; `nil`
  ///     keeps all.
  package init(into sink: consuming Sink, blockRows: Int = 65_536, keeping kept: Int? = nil) {
    self.sink = sink
    self.blockRows = blockRows
    recency = kept.map { Recency(fewest: $0) }
    mostRows = MostRows(fewest: kept)
    payloads = kept.map { PayloadTable(capacity: 16 * $0) } ?? PayloadTable()
    rows = SightingColumns(capacity: blockRows)
    previous = [SightingColumns(capacity: blockRows)]
    latest.reserveCapacity(256)
  }

  /// Passes on the remaining rows and returns the final tables.
  package mutating func complete() throws -> Catalogue {
    try flush()
    return currentCatalogue()
  }

  /// Returns the tables so far, with the counts of rejected input.
  package mutating func currentCatalogue() -> Catalogue {
    catalogue.rejected = allRejected
    defer { catalogue.revisedBeacons = 0..<0 }
    return catalogue
  }

  /// The rejected input so far, by reason.
  package var refusals: [Rejected] { allRejected.filter(\.isRefusal) }

  private var allRejected: [Rejected] {
    (rejected.map { Rejected(reason: $0.key, count: $0.value) }
      + (missing + levels.missing).rejected)
      .sorted { $0.reason < $1.reason }
  }

  /// Returns the sink.
  package consuming func takeSink() -> Sink { sink }

  /// The number of rows that were not passed on yet.
  package var waitingRows: Int { rows.count + latest.count }

  /// Records the position in a broker's stream that the rows so far cover.
  package mutating func append(_ position: StreamPosition) { catalogue.positions.append(position) }

  /// Adds counts of packets and reports; the tables keep what did not become a sighting.
  package mutating func account(for counts: DecodingCounts) {
    self.counts.merge(counts)
    for row in counts.unseen { reject(row.reason, count: row.count) }
  }

  /// Adds counts of packets and reports whose rejections the tables contain already.
  package mutating func account(forKnown counts: DecodingCounts) { self.counts.merge(counts) }

  /// Counts sightings at other times than the selected ones.
  package mutating func leaveOut(_ count: Int) { leftOut += count }

  /// Records rejected input, or other input without a sighting, see `Rejected`.
  package mutating func reject(_ reason: String, count: UInt64 = 1) {
    rejected[reason, default: 0] += count
  }

  /// Adds a row whose indices came from this builder.
  @inline(__always)
  package mutating func append(_ sighting: Sighting) throws {
    latest.append(sighting)
    if rows.count + latest.count == blockRows { return try flush() }
    if latest.count == 256 { spread() }
  }

  /// Adds rows whose indices came from this builder.
  package mutating func append(contentsOf sightings: [Sighting]) throws {
    spread()
    var rest = sightings[...]
    while !rest.isEmpty {
      let some = rest.prefix(min(256, blockRows - rows.count))
      rows.append(contentsOf: some)
      rest = rest[some.endIndex...]
      if rows.count == blockRows { try flush() }
    }
  }

  /// Passes on the available rows, for a reader that does not wait for a full block.
  package mutating func flush() throws {
    admitLevels()
    guard !rows.isEmpty else { return }
    admitted = 0
    recency?.note(rows)
    try sink.append(rows, payloads: payloads.new, catalogue: catalogue)
    catalogue.revisedBeacons = 0..<0
    // A sink may still read the block, but no longer the one before it.
    swap(&rows, &previous[0])
    rows.removeAll()
    payloads.removeNew()
  }

  /// Ends an input after all its rows.
  ///
  /// - Returns: Sentences for users about its levels.
  /// - Throws: `.badInput` if over half of the levels of a link are above 0 dBm.
  package mutating func endInput(_ path: String) throws(RSSIError) -> [String] {
    admitLevels()
    defer { forgetLevels() }
    return try levels.notes(of: path)
  }

  /// Restarts the census of levels, because the numbers of links changed.
  mutating func forgetLevels() {
    missing = missing + levels.missing
    levels = LevelCensus()
  }

  /// Returns a warning, once, if over half of the levels of a live source are above 0 dBm; unlike a
  /// file it is not rejected.
  package mutating func takeLevelWarning() -> String? {
    guard !hasWarned, levels.isDue(), let (problem, advice) = levels.positiveLevels else {
      return nil
    }
    hasWarned = true
    return "\(problem) \(advice)"
  }

  /// Replaces values that are not levels in the new rows.
  private mutating func admitLevels() {
    spread()
    levels.admit(&rows, from: admitted)
    admitted = rows.count
  }

  /// Moves the latest rows to the columns.
  private mutating func spread() {
    rows.append(contentsOf: latest)
    latest.removeAll(keepingCapacity: true)
  }
}
