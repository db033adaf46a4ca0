public import Advertising
package import Sightings
package import Support

/// Finds the selected rows, block by block, in one pass over each file; memory grows with names,
/// not with sightings.
///
/// The names are counted over all files, so that a name without sightings can be refused.
package final class RowSelection {
  private let selection: SightingSelection
  private var file: FileSelection
  private(set) var heard = HeardNames()

  package init(_ selection: SightingSelection) {
    self.selection = selection
    file = FileSelection(selection)
  }

  /// Returns the selected rows of a block.
  ///
  /// - Parameters:
  ///   - rows: times and links, and the addresses of senders if the selection needs them.
  ///   - catalogue: the tables of the file so far.
  package func rows(of rows: borrowing SightingColumns, in catalogue: Catalogue) -> [Int] {
    guard !selection.isEverything else { return Array(0..<rows.count) }
    file.learn(catalogue)
    var taken: [Int] = []
    taken.reserveCapacity(rows.count)
    for row in 0..<rows.count where file.takes(rows, row) { taken.append(row) }
    heard.taken += taken.count
    return taken
  }

  /// Returns the selected times of a trace; nil if it has no sighting so far.
  func span(ofTrace trace: Int) -> Range<Int64>? {
    trace < file.spans.count ? file.spans[trace] : nil
  }

  /// Ends a file, whose numbers mean nothing in the next.
  package func endFile(_ catalogue: Catalogue) {
    heard.add(file, catalogue)
    file = FileSelection(selection)
  }

  /// Refuses a name without sightings in the files, and a selection without a sighting.
  package func requireSightings() throws(RSSIError) {
    guard !selection.isEverything else { return }
    try heard.require(selection)
  }
}

/// A selection of sightings, by time and by the names in each list; an empty list selects every
/// name.
public struct SightingSelection: Sendable {
  /// The first instant to select; nil = from the start.
  public var from: TimeBound?
  /// The first instant after the selection; nil = to the end.
  public var to: TimeBound?
  /// The names of the traces; empty selects all.
  public var traces: [String] = []
  /// The beacons; empty selects all.
  public var beacons: [BeaconChoice] = []
  /// The names of the receivers; empty selects all.
  public var receivers: [String] = []
  /// The kinds of the beacons' identities; telemetry counts as the beacon that it is about.
  public var kinds: Set<BeaconKind> = []

  /// Creates a selection of everything.
  public init() {}

  /// A Boolean value that is true if no sighting is left out.
  public var isEverything: Bool {
    from == nil && to == nil && traces.isEmpty && beacons.isEmpty && receivers.isEmpty
      && kinds.isEmpty
  }

  /// A Boolean value that is true if the addresses of senders are needed: an address selects
  /// everything that was sent from it.
  var needsSenders: Bool { beacons.contains { $0.address != nil } }

  /// Returns the selected times of a trace that begins at a time.
  func span(from start: Int64) -> Range<Int64> {
    let lower = from?.time(from: start) ?? .min
    return lower..<max(lower, to?.time(from: start) ?? .max)
  }
}

/// Passes on the selected sightings, with all payloads.
final class SelectingSink<Sink: SightingSink & AnyObject>: SightingSink {
  private var sink: Sink
  private let selection: RowSelection

  init(_ selection: RowSelection, into sink: Sink) {
    (self.selection, self.sink) = (selection, sink)
  }

  func append(_ rows: SightingColumns, payloads: NewPayloads, catalogue: Catalogue) throws {
    let taken = selection.rows(of: rows, in: catalogue)
    guard taken.count < rows.count else {
      return try sink.append(rows, payloads: payloads, catalogue: catalogue)
    }
    var chosen = SightingColumns(capacity: taken.count)
    for row in taken { chosen.append(row: row, of: rows) }
    try sink.append(chosen, payloads: payloads, catalogue: catalogue)
  }
}
