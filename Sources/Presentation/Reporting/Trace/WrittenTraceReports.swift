package import Support
package import TracePipelines
import TraceStore

/// The report of packing or repairing traces.
extension RewriteResult {
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
    [
      "file": path, "sightings": sightings, "written": isWritten,
      "bytes_before": bytesBefore, "bytes_after": bytesAfter,
      "declared_sightings": committed,
      "losses": losses.map { loss -> JSONValue in
        ["table": loss.table, "column": loss.column, "rows": loss.rows, "kept": loss.kept]
      },
    ]
  }
}

/// The report of a merge of traces.
package struct TraceMergeReport {
  private let result: MergeResult

  package init(_ result: MergeResult) { self.result = result }

  package var json: JSONValue {
    [
      "file": result.path, "sightings": result.sightings,
      "parts": result.parts.map { part -> JSONValue in
        ["file": part.file, "sightings": part.sightings]
      },
    ]
  }

  package var text: String {
    "\(result.path.printable): \(counted(result.sightings, "sighting")) of "
      + "\(counted(result.parts.count, "trace file"))\n"
      + result.parts.map { "  \($0.sightings) from \($0.file.printable)\n" }.joined()
  }
}
