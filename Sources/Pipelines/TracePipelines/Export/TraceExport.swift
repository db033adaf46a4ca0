import Inputs
import Recordings
import Sightings
package import Support
package import TraceStore

/// Writes the sightings of a trace in another format.
package struct TraceExport {
  package enum Format: String, CaseIterable, Sendable { case csv, ndjson, btsnoop }

  private let reader: TraceReader
  private let filtered: String?
  private let log: any ActivityLog

  /// - Parameter filtered: the filter whose levels to write, in place of the raw ones.
  /// - Throws: `RSSIError` for a filter whose levels the trace does not hold.
  package init(_ reader: TraceReader, filtered: String?, log: any ActivityLog) throws {
    if let filtered { try requireFilter(filtered, of: reader) }
    (self.reader, self.filtered, self.log) = (reader, filtered, log)
  }

  /// Hands over the sightings as text, line by line, in constant memory.
  ///
  /// - Parameter isCSV: CSV with a header, else NDJSON. Either can be imported again.
  package func writeText(isCSV: Bool, _ write: (String) throws -> Void) throws {
    let catalogue = reader.catalogue
    if isCSV { try write("trace,time_s,receiver,beacon,rssi_dbm,channel,distance_m\n") }
    let progress = log.progress("export", total: reader.count)
    defer { progress.finish() }
    var done = 0
    try reader.forEachBlock([.time, .link, .rssi, .dwell, .channel], filtered: filtered) { rows in
      let rows = copy rows
      for row in 0..<rows.count {
        let variance = rows.variance.isEmpty ? Float.nan : rows.variance[row]
        try write(
          isCSV
            ? csvLine(rows, row, catalogue)
            : SightingLine(rows, row, catalogue, level: rows.rssi[row], variance: variance).text)
      }
      done += rows.count
      progress.update(done)
    }
  }

  /// Writes the raw advertisements as btsnoop, for Wireshark and btmon.
  ///
  /// - Parameter path: a file, which appears when it is whole, or - for the standard output.
  /// - Throws: `RSSIError` of kind `usage` for filtered levels: a recording holds what was received.
  package func writeRecording(to path: String) throws {
    guard filtered == nil else {
      throw RSSIError(.usage, "btsnoop holds what was received: leave `filtered` out")
    }
    guard path != "-" else {
      var writer = try BTSnoopWriter(path: "-")
      try write(to: &writer)
      return try writer.close()
    }
    var file = try AtomicFile(path: path)
    var writer = try BTSnoopWriter(path: file.temporaryPath)
    try write(to: &writer)
    try writer.close()
    try file.commit()
  }

  private func write(to writer: inout BTSnoopWriter) throws {
    let skipped = try forEachReport(of: reader, into: &writer)
    if skipped > 0 { log.note("left out \(skipped) sightings that came from a table") }
  }
}

private func csvLine(_ rows: SightingColumns, _ row: Int, _ catalogue: Catalogue) -> String {
  let rssi = rows.rssi[row]
  let dwell = Int(rows.dwell[row])
  return [
    CSV.text(catalogue.traces[Int(rows.trace[row])]), Timestamp.decimalSeconds(rows.time[row]),
    CSV.text(catalogue.receivers[Int(rows.receiver[row])].id),
    CSV.text(catalogue.beacons[Int(rows.beacon[row])].id), rssi.isNaN ? "" : plain(rssi),
    rows.channel[row] == 255 ? "" : String(rows.channel[row]),
    dwell < catalogue.dwells.count ? plain(catalogue.dwells[dwell].distance) : "",
  ].joined(separator: ",") + "\n"
}
