import ArgumentParser
import Reporting
import Support
import TracePipelines
import TraceStore

struct PackCommand: RewriteCommand {
  static let configuration = CommandConfiguration(
    commandName: "pack",
    abstract: "Compress captured traces.",
    discussion: """
      Compresses columns (shuffle and deflate) to a third to a tenth of their size. Each file is \
      replaced when its packed copy is complete.

      EXAMPLES:
        rssi pack walks.h5
        rssi pack walks.h5 -o packed.h5
      """)

  @Argument(
    help: ArgumentHelp("Traces and folders of traces.", valueName: "file"), completion: .file())
  var files: [InputPath]

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Write the packed trace to this file instead of replacing the input.", valueName: "file"),
    completion: .file())
  var output: UpdatedTracePath?

  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    try rewrite(files, to: output, as: .pack, reporting)
  }
}

/// A command that rewrites its inputs if no other output is named.
protocol RewriteCommand: ParsableCommand, FileDeclaring {
  var output: UpdatedTracePath? { get }
}

extension RewriteCommand {
  func declareFiles(in files: inout CommandFiles) {
    files.replacesInputs = output == nil
    files.allowStandardOutput(false)
  }
}

/// Packs or repairs traces and reports on each.
func rewrite(
  _ paths: [InputPath], to output: UpdatedTracePath?, as purpose: RewriteRequest.Purpose,
  _ reporting: ReportingOptions
) throws {
  let files = try inputFiles(paths.paths, mayRepeat: true)
  if output != nil, files.count > 1 {
    throw RSSIError(.usage, "-o names one file, but \(files.count) are to be \(purpose.rawValue)ed")
  }
  var reports: [JSONValue] = []
  func reportAll() throws {
    guard reporting.json, !reports.isEmpty else { return }
    try StandardOutput.write(jsonText(.object(["files": .array(reports)])))
  }
  do {
    for file in files {
      let outcome = try RewriteStage(RewriteRequest(purpose, file, to: output?.path))
        .run(in: reporting.context)
      reports.append(outcome.json)
      if !reporting.json, !reporting.quiet { try StandardOutput.show(outcome.text(of: file)) }
    }
  } catch {
    // Those before are done.
    try reportAll()
    throw error
  }
  try reportAll()
}

struct RepairCommand: RewriteCommand {
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
  var files: [InputPath]

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Write the repaired trace to this file instead of replacing the input.", valueName: "file"),
    completion: .file())
  var output: UpdatedTracePath?

  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    try rewrite(files, to: output, as: .repair, reporting)
  }
}
