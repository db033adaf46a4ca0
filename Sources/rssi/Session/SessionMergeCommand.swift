import ArgumentParser
import Inputs
import TraceStore

struct SessionMergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merge the parts of a session into one trace.",
    discussion: """
      Converts times to session time and names receivers after their members. A sighting in two parts \
      of one member is written once. Copies of a part are detected; parts of another session are \
      rejected.
      """)

  @Argument(help: "Parts, in any order.")
  var parts: [String]

  @Option(name: .shortAndLong, help: "Trace to write.")
  var output: String

  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    var files = CommandFiles()
    files.read(parts)
    files.write([output], as: "-o")
    try files.check(reporting)
    let session = try MergedSession(parts)
    for copy in session.copies { reporting.note("\(copy) is a copy of another part: left out") }
    let summary = try session.write(
      to: output, adding: ToolIdentity.program.provenance(of: "session merge", inputs: parts))
    try reporting.report(summary.json, text: summary.text)
  }
}
