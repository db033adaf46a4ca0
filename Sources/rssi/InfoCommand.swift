import ArgumentParser
import Reporting
import Support
import TracePipelines
import TraceStore

struct InfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info", abstract: "Show the contents and provenance of a trace.",
    discussion: """
      EXAMPLES:
        rssi info walks.h5
        rssi info walks.h5 --json
      """)

  @Argument(
    help: ArgumentHelp("Trace files and folders of traces (*.h5).", valueName: "file"),
    completion: .file())
  var files: [String]

  @OptionGroup var known: RegistryOptions

  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    let files = try inputFiles(files, mayRepeat: true)
    if reporting.json, files.count > 1 {
      throw RSSIError(.usage, "--json reports one trace: run it once for each file")
    }
    let registry = try known.load(reporting.log, for: files)
    try parallelInOrder(files.count) { index in
      let found = try InfoStage(InfoRequest(files[index])).run(in: StageContext(tool: .program))
      return (
        try TraceSummary(found.reader, found.figures, registry), found.reader.provenance,
        files[index]
      )
    } take: { summary, provenance, file in
      if reporting.json { return try StandardOutput.write(jsonText(summary.json)) }
      try StandardOutput.show(summary.text(of: file))
      for step in provenance {
        try StandardOutput.show("made by       \(step.commandLine.printable)\n")
      }
    }
  }
}
