import ArgumentParser
import Inputs
import Recordings
import Sightings
import Support
import TraceStore

struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write a trace as CSV, NDJSON or btsnoop.",
    discussion: """
      btsnoop contains the raw advertisements, for Wireshark and btmon, and needs a trace of a \
      recording or capture. CSV and NDJSON contain every sighting and can be imported again.
      """)

  @Argument(help: "Trace file.")
  var input: String

  @Option(name: .shortAndLong, help: "File to write; - is standard output.")
  var output: String = "-"

  @Option(help: "Output format (default: by the extension of the output).")
  var format: Format?

  @Option(help: "Write the levels of this filter instead of the raw ones.")
  var filtered: String?

  @OptionGroup var reporting: ReportingOptions

  enum Format: String, ExpressibleByArgument, CaseIterable { case csv, ndjson, btsnoop }

  func run() throws {
    let ending = output.split(separator: ".").last.map(String.init) ?? ""
    guard let format = format ?? Format(rawValue: ending) else {
      throw RSSIError(.usage, "say what to write with --format csv, ndjson or btsnoop")
    }
    guard !reporting.json else {
      throw RSSIError(.usage, "export writes data, not a report: leave --json out")
    }
    var files = CommandFiles()
    files.read([input])
    files.write([output], as: "-o", isStream: true)
    try files.check(reporting)
    let reader = try TraceReader(path: input)
    if let filtered { try requireFilter(filtered, of: reader) }
    switch format {
    case .csv: try writeText(reader, header: csvHeader) { try csvLine($0, $1, reader.catalogue) }
    case .ndjson:
      try writeText(reader, header: "") { rows, row in
        let variance = rows.variance.isEmpty ? Float.nan : rows.variance[row]
        return SightingLine(
          rows, row, reader.catalogue, level: rows.rssi[row], variance: variance
        ).text
      }
    case .btsnoop: try writeRecording(reader)
    }
  }

  private func writeText(
    _ reader: TraceReader, header: String, _ line: (SightingColumns, Int) throws -> String
  ) throws {
    try writeOutput(to: output) { write in
      try write(header)
      let progress = reporting.log.progress("export", total: reader.count)
      var done = 0
      try reader.forEachBlock([.time, .link, .rssi, .dwell, .channel], filtered: filtered) { rows in
        let rows = copy rows
        for row in 0..<rows.count { try write(try line(rows, row)) }
        done += rows.count
        progress.update(done)
      }
      progress.finish()
    }
  }

  private func writeRecording(_ reader: TraceReader) throws {
    guard filtered == nil else {
      throw RSSIError(.usage, "btsnoop holds what was received: leave --filtered out")
    }
    guard output != "-" else {
      var writer = try BTSnoopWriter(path: "-")
      try write(reader, to: &writer)
      return try writer.close()
    }
    var file = try AtomicFile(path: output)
    var writer = try BTSnoopWriter(path: file.temporaryPath)
    try write(reader, to: &writer)
    try writer.close()
    try file.commit()
  }

  private func write(_ reader: TraceReader, to writer: inout BTSnoopWriter) throws {
    let skipped = try forEachReport(of: reader, into: &writer)
    if skipped > 0 { reporting.note("left out \(skipped) sightings that came from a table") }
  }
}

private let csvHeader = "trace,time_s,receiver,beacon,rssi_dbm,channel,distance_m\n"

private func csvLine(_ rows: SightingColumns, _ row: Int, _ catalogue: Catalogue) throws -> String {
  let rssi = rows.rssi[row]
  let dwell = Int(rows.dwell[row])
  let level = rssi.isNaN ? "" : plain(rssi)
  return csvField(catalogue.traces[Int(rows.trace[row])]) + ","
    + Timestamp.decimalSeconds(rows.time[row]) + ","
    + csvField(catalogue.receivers[Int(rows.receiver[row])].id) + ","
    + csvField(catalogue.beacons[Int(rows.beacon[row])].id) + "," + level + ","
    + (rows.channel[row] == 255 ? "" : String(rows.channel[row])) + ","
    + (dwell < catalogue.dwells.count ? plain(catalogue.dwells[dwell].distance) : "") + "\n"
}

/// A text as a CSV field: quoted where it has to be.
func csvField(_ text: String) -> String {
  guard text.contains(where: { $0 == "," || $0 == "\"" || $0 == "\n" || $0 == "\r" }) else {
    return text
  }
  return "\""
    + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
}
