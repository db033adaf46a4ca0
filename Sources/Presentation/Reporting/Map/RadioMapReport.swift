package import Support
package import TracePipelines

/// What learning a radio map reports.
package struct RadioMapReport {
  private let path: String
  private let ignored: Int
  let summary: RadioMapSummary

  package init(_ result: MapResult) {
    (path, ignored) = (result.path, result.ignored)
    summary = RadioMapSummary(result.stored)
  }

  /// A map that was learned before.
  package init(_ file: RadioMapFile) {
    (path, ignored) = (file.path, 0)
    summary = RadioMapSummary(file.stored)
  }

  package var json: JSONValue {
    .object([
      "file": .string(path), "ignored_levels": .integer(ignored), "radio_map": summary.json,
    ])
  }

  package var text: String {
    "\(path.printable): a radio map \(summary.extent)\n"
      + summary.lines.map { "  \($0)\n" }.joined()
      + (ignored > 0
        ? "  left out \(counted(ignored, "level")) that no anchor has\n" : "")
  }
}
