import PathLoss

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

  /// - Throws: a usage failure where one output would destroy another, or what is read.
  func requireDistinct(from inputs: [String]) throws {
    guard [report == "-", table == "-", printsJSON].filter(\.self).count < 2 else {
      throw Failure(
        Failure.usage, "of --json, -o - and --table - only one can have the standard output: name files")
    }
    guard record != "-" else {
      throw Failure(Failure.usage, "--record writes a trace, not to standard output: name a file")
    }
    var used = inputs.filter { $0 != "-" }.map { (name: $0, path: $0) }
    for (name, path) in [("-o", report), ("--table", table), ("--record", record)] {
      guard let path, path != "-" else { continue }
      guard !path.isEmpty else { throw Failure(Failure.usage, "\(name) needs the name of a file") }
      if let other = used.first(where: { isSameFile($0.path, path) }) {
        throw Failure(Failure.usage, "\(other.name) and \(name) are the same file: name another")
      }
      used.append((name, path))
    }
  }

  /// Writes and prints, and fails where there is nothing to write but reasons.
  func write(_ report: CalibrateReport, _ reporting: ReportingOptions) throws {
    let json = try jsonText(report.json)
    if let path = self.report { try writeWhole(json, to: path) }
    if let table { try writeWhole(BeaconTable(beacons: report.beacons).text, to: table) }
    if printsJSON {
      try StandardOutput.write(json)
    } else if self.report != "-", table != "-" {
      try StandardOutput.write(report.text)
    }
    for (reason, count) in report.excluded.sorted(by: { $0.key < $1.key }) {
      reporting.note("left out \(count) × \(reason)")
    }
    guard report.beacons.contains(where: { $0.power != nil }) else {
      try StandardOutput.flush()
      throw Failure(
        Failure.badInput,
        "no measured power: \(report.beacons.flatMap(\.warnings).last ?? "no beacon was heard")")
    }
  }
}
