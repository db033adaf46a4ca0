package import Advertising
package import Support

/// The end of every source: it numbers names, addresses and payloads and hands on blocks of rows.
///
/// A row costs no allocation, and memory grows with the number of different names and addresses,
/// not with the number of sightings. For a sink that can forget, it is in proportion to those in
/// use.
package struct TraceBuilder<Sink: SightingSink & ~Copyable>: ~Copyable {
  /// The tables so far.
  package internal(set) var catalogue = Catalogue()
  private var rows: SightingColumns
  /// The latest rows, few enough for the processor's first cache, from where they go to the
  /// columns.
  private var latest: [Sighting] = []
  private let blockRows: Int
  /// The levels of the input that is being read, and how many rows they are of.
  private var levels = LevelCensus()
  private var admitted = 0
  /// The missing levels of the inputs before.
  private var missing = MissingLevels()
  private var hasWarned = false
  /// Nil where everything is kept.
  var recency: Recency?
  var mostRows: MostRows

  var beacons = IdentityTable()
  var receivers = NameTable()
  var traces = NameTable()
  var payloads: PayloadTable
  var advertisers = AddressTable()
  /// The beacon that an address is, and the one whose telemetry it sends, by advertiser.
  var addressBeacons: [UInt32] = []
  var namedBeacons: [UInt32] = []
  /// Pairs of advertiser and beacon that the tables have.
  var knownSenders: Set<UInt64> = []
  /// The pairs met last, by their lowest bits: a beacon of several frames takes turns among few.
  var latestSenders = [64 of UInt64](repeating: .max)
  var declaredRoles: [String: NodeRole] = [:]
  private var rejected: [String: UInt64] = [:]
  /// The packets and reports that sources accounted for.
  package private(set) var counts = DecodingCounts()
  var openStays = OpenStays()
  /// The first of the two rows of truth that show where a receiver stands, by receiver.
  var standingTruth: [UInt16: Int] = [:]

  /// The trace that reports belong to, until changed.
  package var currentTrace: UInt16 = 0
  /// The receiver that reports come from; nil names each adapter hci0, hci1 and so on.
  package var receiverName: String? {
    didSet {
      adapterReceivers.removeAll()
      lastReceiver = nil
    }
  }
  /// The distance and pose at which all that radios report from now on is heard; nil = not known.
  package var standing: (distance: Double, pose: String)?
  /// The times that are taken of a trace, by its first time; nil = all.
  package var chosenTimes: ((Int64) -> Range<Int64>)?
  /// Those of each trace that has a sighting.
  var spans: [UInt16: Range<Int64>] = [:]
  /// Sightings at other times, and the times of all.
  package internal(set) var leftOut = 0
  package internal(set) var allTimes: ClosedRange<Int64>?
  var adapterReceivers: [UInt16: UInt16] = [:]
  /// The last of them: most reports come from the adapter of the one before.
  var lastReceiver: (adapter: UInt16, index: UInt16)?
  /// The receiver of the rows; last, so that all else lies where it does whatever the sink's size.
  package var sink: Sink

  /// - Parameters:
  ///   - sink: what receives the rows.
  ///   - blockRows: rows in a block.
  ///   - keeping: beacons, and addresses, that are kept although they left; `nil` keeps all.
  package init(into sink: consuming Sink, blockRows: Int = 65_536, keeping kept: Int? = nil) {
    self.sink = sink
    self.blockRows = blockRows
    recency = kept.map { Recency(fewest: $0) }
    mostRows = MostRows(fewest: kept)
    payloads = kept.map { PayloadTable(capacity: 16 * $0) } ?? PayloadTable()
    rows = SightingColumns(capacity: blockRows)
    latest.reserveCapacity(256)
  }

  /// Hands on what is left and returns the final tables.
  package mutating func complete() throws -> Catalogue {
    try flush()
    return currentCatalogue()
  }

  /// The tables so far, with the counts of what was refused.
  package mutating func currentCatalogue() -> Catalogue {
    catalogue.rejected = allRejected
    defer { catalogue.revisedBeacons = 0..<0 }
    return catalogue
  }

  /// Input that was refused so far, by reason.
  package var refusals: [Rejected] { allRejected.filter(\.isRefusal) }

  private var allRejected: [Rejected] {
    (rejected.map { Rejected(reason: $0.key, count: $0.value) }
      + (missing + levels.missing).rejected)
      .sorted { $0.reason < $1.reason }
  }

  /// Gives the sink back.
  package consuming func takeSink() -> Sink { sink }

  /// Rows that were not handed on yet.
  package var waitingRows: Int { rows.count + latest.count }

  /// Notes how much of a broker's stream the rows so far cover.
  package mutating func append(_ position: StreamPosition) { catalogue.positions.append(position) }

  /// Adds what became of packets and reports; the tables keep what did not become a sighting.
  package mutating func account(for counts: DecodingCounts) {
    self.counts.merge(counts)
    for row in counts.unseen { reject(row.reason, count: row.count) }
  }

  /// Notes why input was refused, or what else became of it, see `Rejected`.
  package mutating func reject(_ reason: String, count: UInt64 = 1) {
    rejected[reason, default: 0] += count
  }

  /// Adds a row whose indices came from this builder.
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

  /// Hands on the rows that there are, for a reader that does not wait until a block is full.
  package mutating func flush() throws {
    admitLevels()
    guard !rows.isEmpty else { return }
    admitted = 0
    recency?.note(rows)
    try sink.append(rows, payloads: payloads.new, catalogue: catalogue)
    catalogue.revisedBeacons = 0..<0
    rows.removeAll()
    payloads.removeNew()
  }

  /// Ends an input whose rows are all in.
  ///
  /// - Returns: sentences for a person about its levels.
  /// - Throws: `.badInput` if over half of the levels of a link are above 0 dBm.
  package mutating func endInput(_ path: String) throws(RSSIError) -> [String] {
    admitLevels()
    defer { forgetLevels() }
    return try levels.notes(of: path)
  }

  /// Begins to count levels again: the numbers of links are others.
  mutating func forgetLevels() {
    missing = missing + levels.missing
    levels = LevelCensus()
  }

  /// A sentence where over half of the levels of a live source are above 0 dBm, once: unlike a file
  /// it is not refused.
  package mutating func takeLevelWarning() -> String? {
    guard !hasWarned, levels.isDue(), let (problem, advice) = levels.positiveLevels else {
      return nil
    }
    hasWarned = true
    return "\(problem) \(advice)"
  }

  /// Replaces what is not a level in the rows that are new.
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
