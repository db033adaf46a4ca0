import Sightings
import TracePipelines

/// Sightings on their way into a table of poses.
struct PoseSink: SightingSink {
  var table: PoseTable

  mutating func append(
    _ rows: SightingColumns, payloads: NewPayloads, catalogue: Catalogue
  ) throws {
    table.add(rows, catalogue)
  }
}
