package import Support
package import TracePipelines

/// What a merge of traces reports.
package struct TraceMergeReport {
  private let result: TraceMergeResult

  package init(_ result: TraceMergeResult) { self.result = result }

  package var json: JSONValue {
    .object([
      "file": .string(result.path), "sightings": .integer(result.sightings),
      "parts": .array(
        result.parts.map { part in
          .object(["file": .string(part.file), "sightings": .integer(part.sightings)])
        }),
    ])
  }

  package var text: String {
    "\(result.path.printable): \(counted(result.sightings, "sighting")) of "
      + "\(counted(result.parts.count, "trace file"))\n"
      + result.parts.map { "  \($0.sightings) from \($0.file.printable)\n" }.joined()
  }
}
