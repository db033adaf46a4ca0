import Glibc
import Sightings
import Support
import TraceStore

/// A trace that is read while a capture writes it.
///
/// The file is opened again for each look: a capture that ends packs it, so that the file of the
/// last rows may be another one than that of the first.
struct FollowedTrace {
  let path: String
  /// Rows that were read.
  private var taken = 0
  /// The time that the file counts from, as it was at first.
  private var start: Int64?
  private static let blockRows = 65_536

  init(path: String) { self.path = path }

  /// Reads the rows that were added since the last call.
  ///
  /// - Returns: whether a program was writing the file, so that there may be more.
  /// - Throws: also where another trace has taken the place of the file.
  mutating func readNew(
    _ body: (SightingColumns, Catalogue) throws -> Void
  ) throws -> Bool {
    // Whether it is live is known before its rows are counted: the last look misses nothing.
    let reader = try TraceReader(path: path)
    guard start == nil || start == reader.start, reader.count >= taken else {
      throw RSSIError(
        .badInput, "\(path) was replaced by another trace; follow that one with `rssi watch`"
      )
    }
    start = reader.start
    var block = SightingColumns(capacity: 0)
    while taken < reader.count {
      let rows = taken..<min(taken + Self.blockRows, reader.count)
      try reader.read(rows, into: &block)
      taken = rows.upperBound
      try body(block, reader.catalogue)
    }
    return reader.isLive
  }
}
