import ArgumentParser
import TracePipelines

struct RepairCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "repair",
    abstract: "Close traces left open by an interrupted capture, and salvage damaged ones.",
    discussion: """
      Every stage of rssi reads the trace of an interrupted capture directly; h5dump and h5py open it \
      only after it is closed. All committed data are kept. In a closed trace whose columns differ in \
      length, rows with a time, beacon, receiver and trace are kept, and lost values are marked as \
      missing. An intact trace is not changed.

      EXAMPLES:
        rssi repair walks.h5
        rssi repair walks.h5 -o repaired.h5
      """)

  @Argument(
    help: ArgumentHelp("Traces and folders of traces.", valueName: "file"), completion: .file())
  var files: [String]

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Write the repaired trace to this file instead of replacing the input.", valueName: "file"),
    completion: .file())
  var output: String?

  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    try rewrite(files, to: output, as: .repair, reporting)
  }
}
