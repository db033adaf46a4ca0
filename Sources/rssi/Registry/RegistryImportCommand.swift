import ArgumentParser
import Recordings
import Registries
import Reporting
import Support
import TracePipelines

struct RegistryImportCommand: ParsableCommand, FileDeclaring {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Create a registry from tables (CSV) and lists (JSON).",
    usage: "rssi registry import [<options>] <file> ...",
    discussion: """
      Columns are named as in the JSON format: id, or uuid, major and minor, or namespace and instance; \
      address; name, description, x_m, y_m, z_m, measured_power_dbm or tx_power_0m_dbm, range_m. All \
      others become notes; one that is nearly a known column is named. Tables of `rssi calibrate --table` are accepted. Of two entries of one beacon the \
      last one is used.

      EXAMPLES:
        rssi registry import nodes.csv -o beacons.json
        rssi registry import nodes.csv -o - | head -n 5
      """)

  @Argument(
    help: ArgumentHelp(
      "CSV tables and JSON lists; - reads JSON from standard input.", valueName: "file"),
    completion: .file())
  var files: [InputPath]

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Registry to write; - is standard output (default: the stored registry).", valueName: "file"),
    completion: .file())
  var output: OutputStreamPath?

  @Flag(help: "Skip invalid entries instead of failing.")
  var skipBad = false

  @Option(
    help: ArgumentHelp(
      "Columns of the tables: name=column,…; a column is a header, #3 or 'one text'.",
      valueName: "map"))
  var columns: String?

  @OptionGroup var reporting: ReportingOptions

  func declareFiles(in files: inout CommandFiles) {
    // The folders of the stored registry are made when there is something to store.
    if output == nil { files.write(KeptRegistry.path, as: "-o", isPattern: true) }
  }

  func run() throws {
    guard output?.path != "-" || !reporting.json else {
      throw RSSIError(.usage, "-o - and --json both write to standard output: choose one")
    }
    var request = RegistryImportRequest(files.paths)
    request.skipBad = skipBad
    request.columns = try columns.map { try ColumnMap($0) } ?? ColumnMap()
    let result = try RegistryImportStage(request).run(in: reporting.context)
    let path = try KeptRegistry.place(output?.path)
    try writeOutput(result.document.text, to: path)
    guard path != "-" else { return }
    try reporting.report(result.json(at: path), text: result.text(at: path))
  }
}
