import ArgumentParser
import Recordings
import Sightings
import TraceStore

struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Make a trace from recordings and tables.",
    discussion: """
      Reads btsnoop recordings (btmon -w, hcidump, Android's HCI log), CSV tables of sightings or of
      readings at known distances, and NDJSON; files are told apart by their content. Each recording
      is one trace, named after its file.
      """)

  @Argument(help: "Recordings and tables; - reads NDJSON from standard input.")
  var files: [String]

  @Option(name: .shortAndLong, help: "The trace file to write.")
  var output: String

  @Option(help: "CSV of beacons and receivers with the positions of the fixed ones.")
  var nodes: String?

  @Option(help: "CSV of where the moving node was.")
  var truth: String?

  @Option(help: "Name of the receiver of recordings (default: hci0, hci1, …).")
  var receiver: String?

  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    let kinds = try files.map { try InputKind(path: $0) }
    let inputs = files + [nodes, truth].compactMap(\.self)
    let provenance = try provenance(of: "import", inputs: inputs)
    var intake = Intake(into: try TraceSink(path: output, provenance: provenance))
    var progress = Progress("import", total: files.count, quiet: reporting.quiet)
    for (index, (file, kind)) in zip(files, kinds).enumerated() {
      progress.update(index)
      try take(file, kind, receiver: receiver, into: &intake)
    }
    progress.finish()
    if let nodes { try NodeTable.read(nodes, into: &intake) }
    if let truth { try TruthTable.read(truth, into: &intake) }
    let catalogue = try intake.complete()
    try intake.takeSink().finish(catalogue)

    let summary = try TraceSummary(TraceReader(path: output))
    for rejected in catalogue.rejected {
      reporting.note("refused \(rejected.count) × \(rejected.reason)")
    }
    try StandardOutput.write(reporting.json ? jsonText(summary.json) : summary.text(of: output))
  }
}
