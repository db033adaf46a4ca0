package import Support
package import TracePipelines
import TraceStore

/// What packing or repairing traces came to.
extension TraceRewrite.Outcome {
  /// - Parameter input: the trace as it was named.
  package func text(of input: String) -> String {
    var text =
      isWritten
      ? "\(path.printable): \(sightings) sightings, \(megabytes(bytesBefore)) became "
        + "\(megabytes(bytesAfter))\n"
      : "\(input.printable): \(sightings) sightings, nothing to repair\n"
    if let committed {
      text +=
        "  a loss of power left \(sightings) of the \(committed) sightings that the recording declares\n"
    }
    for loss in losses {
      text +=
        "  /\(loss.table)/\(loss.column) had \(loss.rows) rows, "
        + (loss.rows < loss.kept
          ? "\(loss.kept - loss.rows) of \(loss.kept) are missing\n"
          : "\(loss.rows - loss.kept) of them are left out\n")
    }
    return text
  }

  package var json: JSONValue {
    .object([
      "file": .string(path), "sightings": .integer(sightings), "written": .boolean(isWritten),
      "bytes_before": .unsigned(bytesBefore), "bytes_after": .unsigned(bytesAfter),
      "declared_sightings": committed.map { .integer($0) } ?? .null,
      "losses": .array(
        losses.map {
          .object([
            "table": .string($0.table), "column": .string($0.column), "rows": .integer($0.rows),
            "kept": .integer($0.kept),
          ])
        }),
    ])
  }
}

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
