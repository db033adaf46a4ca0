import ArgumentParser
import Reporting
import TracePipelines

struct MergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merge traces into one.",
    usage: "rssi merge [<options>] <file> ... --output <file>",
    discussion: """
      Beacons, receivers and traces of the same name become one, equal payloads are stored once, and \
      sightings are in order of time. Truth, gaps, the calibration, and levels of filters that all \
      traces have are kept. A sighting that is in two of them is refused. For parts of a session, whose \
      clocks differ, use rssi session merge.

      EXAMPLES:
        rssi export walks.h5 --trace walk-1 -o a.h5 && \\
          rssi export walks.h5 --trace walk-2 -o b.h5 && \\
          rssi merge a.h5 b.h5 -o both.h5
        # the files of a capture with --rotate, from a folder
        mkdir -p day && cp walks.h5 day && rssi merge day -o day.h5
      """)

  @Argument(
    help: ArgumentHelp("Traces and folders of traces (*.h5), in any order.", valueName: "file"),
    completion: .file())
  var inputs: [InputPath]

  @Option(
    name: .shortAndLong, help: ArgumentHelp("Trace to write.", valueName: "file"),
    completion: .file())
  var output: TracePath

  @Flag(help: "Leave the calibrations of the traces out.")
  var withoutCalibration = false

  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    var request = MergeRequest(try inputFiles(inputs.paths), to: output.path)
    request.withoutCalibration = withoutCalibration
    let report = TraceMergeReport(
      try MergeStage(request).run(in: reporting.context))
    try reporting.report(report.json, text: report.text)
  }
}
