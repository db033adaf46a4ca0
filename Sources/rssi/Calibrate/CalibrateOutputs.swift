import ArgumentParser
import Reporting
import Support
import TracePipelines

/// What `rssi calibrate` is asked to write.
struct CalibrateOutputOptions: ParsableArguments {
  @Option(
    name: .shortAndLong, help: ArgumentHelp("Report to write (JSON).", valueName: "file"),
    completion: .file())
  var output: String?

  @Option(
    help: ArgumentHelp(
      "Table of beacons to write (CSV), for `rssi import --nodes` and flashing tools.",
      valueName: "file"), completion: .file())
  var table: String?

  @Option(
    help: ArgumentHelp(
      "Trace to write of everything a live source received, labelled with distance and pose.",
      valueName: "file"), completion: .file())
  var record: String?
}

/// Where a calibration is written.
struct CalibrateOutputs {
  /// The report (JSON); - is standard output.
  var report: String?
  /// The table of beacons (CSV); - is standard output.
  var table: String?
  /// Whether standard output gets the report as JSON, in place of text.
  var printsJSON: Bool
  /// The trace of what was heard.
  var record: String?

  /// - Parameter files: what is read.
  /// - Throws: a usage failure where one output would destroy another, or what is read.
  func check(_ files: CommandFiles, _ reporting: ReportingOptions) throws {
    guard [report == "-", table == "-", printsJSON].filter(\.self).count < 2 else {
      throw RSSIError(
        .usage,
        "of --json, -o - and --table - only one can have the standard output: name files")
    }
    var files = files
    files.write([report], as: "-o", isStream: true)
    files.write([table], as: "--table", isStream: true)
    files.write([record], as: "--record")
    try files.check(reporting)
  }

  /// Writes and prints, and fails where there is nothing to write but reasons.
  func write(_ result: CalibrateResult, _ reporting: ReportingOptions) throws {
    let report = CalibrateReport(result, by: .program)
    let json = jsonText(report.json)
    if let path = self.report { try writeOutput(json, to: path) }
    if let table { try writeOutput(BeaconTable(result.beacons).text, to: table) }
    if printsJSON {
      try StandardOutput.write(json)
    } else if self.report != "-", table != "-" {
      try StandardOutput.show(report.text)
    }
    for (reason, count) in result.excluded.sorted(by: { $0.key < $1.key }) {
      reporting.note("left out \(count) × \(reason)")
    }
    try result.requirePower()
  }
}
