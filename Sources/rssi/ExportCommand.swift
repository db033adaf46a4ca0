public import ArgumentParser
import PathLoss
import Registries
import Support
package import TracePipelines

struct ExportCommand: ParsableCommand, FileDeclaring {
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
  var inputs: [InputPath]

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("File to write; - is standard output.", valueName: "file"),
    completion: .file())
  var output = OutputStreamPath(path: "-")

  @Option(
    help: ArgumentHelp(
      "Output format (default: by the extension of the output).", valueName: "format"))
  var format: ExportFormat?

  @Option(
    help: ArgumentHelp(
      "Write the levels of this filter instead of the raw ones.", valueName: "filter"))
  var filtered: String?

  @Option(
    help: ArgumentHelp(
      "Calibration written by `rssi fit -o`: write the distance of each level with its 95 % interval.",
      valueName: "file"), completion: .file())
  var calibration: InputPath?

  @OptionGroup(title: "Selection") var selecting: SightingSelectionOptions

  @OptionGroup var known: RegistryOptions

  @OptionGroup var messages: MessageOptions

  func declareFiles(in files: inout CommandFiles) {
    files.allowStandardOutput(format != .trace)
  }

  func run() throws {
    var request = try ExportRequest(
      inputFiles(inputs.paths), to: output.path, format: format)
    request.filtered = filtered
    request.calibration = calibration?.path
    try request.check()
    request.registry = try known.load(messages.log)
    request.selection = try selecting.selection(request.registry, in: request.inputs)
    try ExportStage(request).run(in: messages.context())
  }
}

extension ExportFormat: ExpressibleByArgument {}
