/// A receiver of blocks of sightings: a trace file, a stream, a test.
package protocol SightingSink: ~Copyable {
  /// Receives a block of rows, with the payloads that first occur in it.
  ///
  /// - Parameters:
  ///   - rows: The sightings.
  ///   - payloads: The new payloads, numbered after those of earlier blocks.
  ///   - catalogue: The tables so far, which only grow.
  mutating func append(
    _ rows: SightingColumns, payloads: NewPayloads, catalogue: Catalogue) throws
}

/// New payloads, one after the other.
package struct NewPayloads: Sendable {
  package var bytes: [UInt8] = []
  package var lengths: [UInt16] = []

  package init() {}
}
