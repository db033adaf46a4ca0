package import Sightings
package import Support

/// Finds the rows that a selection means, block by block, in one pass over each file; memory grows
/// with names, not with sightings.
///
/// What was heard is counted over all files, so that a name that selects nothing can be refused.
package final class RowSelection {
  private let selection: SightingSelection
  private var file: FileSelection
  private(set) var heard = HeardNames()

  package init(_ selection: SightingSelection) {
    self.selection = selection
    file = FileSelection(selection)
  }

  /// The rows of a block that are meant.
  ///
  /// - Parameters:
  ///   - rows: times and links, and the addresses of senders where the selection needs them.
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

  /// The times that are taken of a trace; nil where it has no sighting so far.
  func span(ofTrace trace: Int) -> Range<Int64>? {
    trace < file.spans.count ? file.spans[trace] : nil
  }

  /// Ends a file: numbers of the next one mean other names.
  package func endFile(_ catalogue: Catalogue) {
    heard.add(file, catalogue)
    file = FileSelection(selection)
  }

  /// Refuses a name that no sighting of the files has, and a selection without a sighting.
  package func requireSightings() throws(RSSIError) {
    guard !selection.isEverything else { return }
    try heard.require(selection)
  }
}
