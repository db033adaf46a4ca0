package import Sightings
package import Support

/// Writes sightings as lines of NDJSON for the next stage, block by block.
package struct SightingLineSink: SightingSink {
  private let output: any LineWriter
  private let place: (x: Double, y: Double, z: Double)?

  /// - Parameter place: where the receiver is in metres, which each line then has.
  package init(_ output: any LineWriter, at place: (x: Double, y: Double, z: Double)? = nil) {
    (self.output, self.place) = (output, place)
  }

  package mutating func append(
    _ rows: SightingColumns, payloads: NewPayloads, catalogue: Catalogue
  ) throws {
    for row in 0..<rows.count {
      let point = place.map { place in
        TruthPoint(
          time: rows.time[row], role: .receiver, node: UInt32(rows.receiver[row]),
          trace: rows.trace[row], x: place.x, y: place.y, z: place.z)
      }
      try output.write(
        SightingLine(rows, row, catalogue, level: rows.rssi[row], place: point).text)
    }
    try output.flush()
  }
}
