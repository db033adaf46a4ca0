package import Sightings
package import Support

/// Writes sightings as lines of NDJSON for the next stage, block by block.
package struct SightingLineSink<Output: LineWriting>: SightingSink {
  private let output: Output

  package init(_ output: Output) { self.output = output }

  package mutating func append(
    _ rows: SightingColumns, payloads: NewPayloads, catalogue: Catalogue
  ) throws {
    for row in 0..<rows.count {
      try output.write(SightingLine(rows, row, catalogue, level: rows.rssi[row]).text)
    }
    try output.flush()
  }
}
