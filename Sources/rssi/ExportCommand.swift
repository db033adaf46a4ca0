import ArgumentParser
import PathLoss
import Registries
import Support
package import TracePipelines

struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write traces, or selected sightings, in another format.",
    discussion: """
      The extension of the output is the format; standard output is NDJSON. CSV and NDJSON contain \
      every selected sighting and can be imported again. btsnoop contains the raw advertisements, for \
      Wireshark and btmon, and needs a trace of a recording or capture. A trace (.h5) contains the \
      selected sightings with all that belongs to them.

      --calibration adds the distance of each level with its 95 % interval to CSV and NDJSON.

      EXAMPLES:
        rssi export walks.h5 -o walks.csv
        rssi export walks.h5 --calibration calibration.json -o estimates.csv
        rssi export walks.h5 --trace walk-1 --from +5s --to +10s | head -n 3
        rssi export walks.h5 -o walks.btsnoop
      """)

  @Argument(
    help: ArgumentHelp("Trace files and folders of traces (*.h5).", valueName: "file"),
    completion: .file())
  var inputs: [String]

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("File to write; - is standard output.", valueName: "file"),
    completion: .file())
  var output: String = "-"

  @Option(
    help: ArgumentHelp(
      "Output format (default: by the extension of the output).", valueName: "format"))
  var format: TraceExport.Format?

  @Option(
    help: ArgumentHelp(
      "Write the levels of this filter instead of the raw ones.", valueName: "filter"))
  var filtered: String?

  @Option(
    help: ArgumentHelp(
      "Calibration written by `rssi fit -o`: write the distance of each level with its 95 % interval.",
      valueName: "file"), completion: .file())
  var calibration: String?

  @OptionGroup(title: "Selection") var selecting: SightingSelectionOptions

  @OptionGroup var known: RegistryOptions

  @OptionGroup var messages: MessageOptions

  func run() throws {
    let format = try format ?? TraceExport.Format(ofOutput: output)
    let inputs = try inputFiles(inputs)
    var files = CommandFiles()
    files.read(inputs)
    files.read([calibration], as: "--calibration")
    files.read([known.path], as: "--registry")
    files.write([output], as: "-o", isStream: format != .trace)
    try files.check()
    if calibration != nil, format == .trace || format == .btsnoop {
      throw RSSIError(
        .usage, "--calibration: \(format.rawValue) has no distances of levels",
        advice: "write CSV or NDJSON")
    }
    let registry = try known.load(messages.log)
    let selection = try selecting.selection(registry)
    guard format != .trace else { return try writeTrace(of: inputs, selection) }
    let export = try TraceExport(
      inputs, filtered: filtered,
      calibration: try calibration.map { (try Calibration(path: $0), path: $0) },
      registry: registry, selection: selection, log: messages.log)
    guard format != .btsnoop else { return try export.writeRecording(to: output) }
    try writeOutput(to: output) { try export.writeText(isCSV: format == .csv, $0) }
  }

  private func writeTrace(of inputs: [String], _ selection: SightingSelection) throws {
    guard filtered == nil else {
      throw RSSIError(.usage, "a trace has the levels of all filters: leave --filtered out")
    }
    var request = TraceMergeRequest(inputs, to: output)
    request.selection = selection
    request.stage = "export"
    _ = try TraceMerge(request, by: .program, log: messages.log).result()
  }
}

extension TraceExport.Format: ExpressibleByArgument {}
