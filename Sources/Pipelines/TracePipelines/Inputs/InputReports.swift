package import Advertising
import Recordings
package import Sightings
import Support
package import TraceStore

/// Hands the advertising reports of a recording or a trace to a sink, in order.
///
/// - Parameters:
///   - account: gets what became of the packets when reading ends, also where it throws.
///   - sighting: takes a row of a trace that came from a table, and has no report.
package func forEachReport<Sink: RecordingSink & ~Copyable>(
  of path: String, _ kind: InputKind, into sink: inout Sink,
  account: (DecodingCounts) -> Void,
  sighting: @escaping (inout Sink, Catalogue, borrowing SightingColumns, Int) throws -> Void
) throws {
  switch kind {
  case .trace:
    _ = try forEachReport(of: TraceReader(path: path), into: &sink, sighting: sighting)
  case .btsnoop:
    var reader = try BTSnoopReader(path: path)
    defer { account(reader.counts) }
    try reader.decode(into: &sink)
  case .pcap:
    var reader = try PcapReader(path: path)
    defer { account(reader.counts) }
    try reader.decode(into: &sink)
  case .packetLogger:
    var reader = try PacketLoggerReader(path: path)
    defer { account(reader.counts) }
    try reader.decode(into: &sink)
  case .table, .stream:
    throw RSSIError(
      .badInput,
      "\(path) holds levels but no advertisements, so it cannot be played again: `rssi import` "
        + "reads it"
    )
  }
}

/// Hands the reports that a trace came from to a sink.
///
/// - Parameters:
///   - select: the rows of a block to hand over.
///   - sighting: takes a row that came from a table; nil leaves such rows out, and refuses a trace
///     that has no others.
/// - Returns: the number of sightings that were left out.
package func forEachReport<Sink: ReportSink & ~Copyable>(
  of reader: TraceReader, into sink: inout Sink,
  select: (borrowing SightingColumns) -> [Int] = { Array(0..<$0.count) },
  sighting: ((inout Sink, Catalogue, borrowing SightingColumns, Int) throws -> Void)? = nil
) throws -> Int {
  let payloads = reader.payloads()
  guard payloads.count > 0 || sighting != nil else {
    throw RSSIError(
      .badInput,
      "\(reader.path) holds no raw advertisements, it came from a table: export it as csv or ndjson"
    )
  }
  var skipped = 0
  try withUnsafeMutablePointer(to: &sink) { sink in
    try reader.forEachBlock(.all) { rows in
      for row in select(rows) {
        let advertiser = Int(rows.advertiser[row])
        guard advertiser < reader.catalogue.advertisers.count,
          Int(rows.payload[row]) < payloads.count
        else {
          if let sighting {
            try sighting(&sink.pointee, reader.catalogue, rows, row)
          } else {
            skipped += 1
          }
          continue
        }
        var report = rows[row].report(from: reader.catalogue.advertisers[advertiser])
        report.adapter = rows.receiver[row]
        let payload = Array(try payloads[rows.payload[row]])
        try sink.pointee.receive(report, payload: payload.span)
      }
    }
  }
  return skipped
}
