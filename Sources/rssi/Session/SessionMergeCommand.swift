import ArgumentParser
import LivePipelines
import Reporting

struct SessionMergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merge the parts of a session into one trace.",
    discussion: """
      Converts times to session time and names receivers after their members. A sighting in two parts \
      of one member is written once. Copies of a part are detected; parts of another session are \
      rejected.

      EXAMPLES:
        rssi session merge part-*.h5 -o session.h5
        rssi session merge hall.h5 door.h5 -o session.h5
      """)

  @Argument(help: ArgumentHelp("Parts, in any order.", valueName: "file"), completion: .file())
  var parts: [String]

  @Option(
    name: .shortAndLong, help: ArgumentHelp("Trace to write.", valueName: "file"),
    completion: .file())
  var output: String

  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    var files = CommandFiles()
    files.read(parts)
    files.write([output], as: "-o")
    try files.check(reporting)
    let report = MergeReport(
      try mergeSession(parts, into: output, tool: .program, log: reporting.log))
    try reporting.report(report.json, text: report.text)
  }
}
