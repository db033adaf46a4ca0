/// A receiver of blocks of sightings: a trace file, a stream, a test.
package protocol SightingSink: ~Copyable {
  /// Takes a block of rows, and the payloads that rows of this block are the first to have.
  ///
  /// - Parameters:
  ///   - rows: the sightings.
  ///   - payloads: the new payloads, numbered on from those of the blocks before.
  ///   - catalogue: the tables so far; they only ever grow.
  mutating func append(
    _ rows: SightingColumns, payloads: NewPayloads, catalogue: Catalogue) throws
}

/// Payloads that were not seen before, one after the other.
package struct NewPayloads: Sendable {
  package var bytes: [UInt8] = []
  package var lengths: [UInt16] = []

  package init() {}
}
