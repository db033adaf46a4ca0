import ArgumentParser
import Reporting
import Support
import TracePipelines

struct PackCommand: ParsableCommand {
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
  var files: [String]

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Write the packed trace to this file instead of replacing the input.", valueName: "file"),
    completion: .file())
  var output: String?

  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    try rewrite(files, to: output, as: .pack, reporting)
  }
}

/// Packs or repairs traces and reports on each.
func rewrite(
  _ files: [String], to output: String?, as purpose: TraceRewrite.Purpose,
  _ reporting: ReportingOptions
) throws {
  let files = try inputFiles(files, mayRepeat: true)
  if output != nil, files.count > 1 {
    throw RSSIError(.usage, "-o names one file, but \(files.count) are to be \(purpose)ed")
  }
  var named = CommandFiles()
  named.read(files)
  named.write([output], as: "-o", mayReplace: files)
  named.replacesInputs = output == nil
  try named.check(reporting)
  let rewrite = TraceRewrite(purpose, to: output, by: .program)
  var reports: [JSONValue] = []
  func reportAll() throws {
    guard reporting.json, !reports.isEmpty else { return }
    try StandardOutput.write(jsonText(.object(["files": .array(reports)])))
  }
  do {
    for file in files {
      let outcome = try rewrite(file)
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
