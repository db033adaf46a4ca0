package import Support
package import TracePipelines

/// What learning a radio map reports.
package struct RadioMapReport {
  private let result: RadioMapResult

  package init(_ result: RadioMapResult) { self.result = result }

  package var json: JSONValue {
    .object([
      "file": .string(result.path), "ignored_levels": .integer(result.ignored),
      "radio_map": RadioMapSummary(result.stored).json,
    ])
  }

  package var text: String {
    let summary = RadioMapSummary(result.stored)
    return "\(result.path.printable): a radio map \(summary.extent)\n"
      + summary.lines.map { "  \($0)\n" }.joined()
      + (result.ignored > 0
        ? "  left out \(counted(result.ignored, "level")) that no anchor has\n" : "")
  }
}
