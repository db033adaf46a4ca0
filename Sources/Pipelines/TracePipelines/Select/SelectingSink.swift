import Sightings

/// Passes on the sightings that are selected, with all payloads.
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
