import ArgumentParser
import Support
package import TracePipelines
import TraceStore

struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write a trace as CSV, NDJSON or btsnoop.",
    discussion: """
      btsnoop contains the raw advertisements, for Wireshark and btmon, and needs a trace of a \
      recording or capture. CSV and NDJSON contain every sighting and can be imported again.
      """)

  @Argument(help: "Trace file.")
  var input: String

  @Option(name: .shortAndLong, help: "File to write; - is standard output.")
  var output: String = "-"

  @Option(help: "Output format (default: by the extension of the output).")
  var format: TraceExport.Format?

  @Option(help: "Write the levels of this filter instead of the raw ones.")
  var filtered: String?

  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    let ending = output.split(separator: ".").last.map(String.init) ?? ""
    guard let format = format ?? TraceExport.Format(rawValue: ending) else {
      throw RSSIError(.usage, "say what to write with --format csv, ndjson or btsnoop")
    }
    guard !reporting.json else {
      throw RSSIError(.usage, "export writes data, not a report: leave --json out")
    }
    var files = CommandFiles()
    files.read([input])
    files.write([output], as: "-o", isStream: true)
    try files.check(reporting)
    let export = try TraceExport(
      TraceReader(path: input), filtered: filtered, log: reporting.log)
    guard format != .btsnoop else { return try export.writeRecording(to: output) }
    try writeOutput(to: output) { try export.writeText(isCSV: format == .csv, $0) }
  }
}

extension TraceExport.Format: ExpressibleByArgument {}

/// A text as a CSV field: quoted where it has to be.
func csvField(_ text: String) -> String { CSV.text(text) }
