package import Advertising
import Glibc
package import Recordings
package import Sightings
import Support
package import TraceStore

/// The kind of a file, recognised by its content and not by its name.
package enum InputKind: Equatable, Sendable {
  case trace
  case btsnoop
  case pcap
  case packetLogger
  /// A text of another program that prints advertisements.
  case log(LogFormat)
  case table
  case stream

  /// A Boolean value that is true for sightings without known distances, and false for tables and
  /// lines.
  package var isRecording: Bool { self != .table && self != .stream }

  /// - Throws: `RSSIError` that names the kind of a file that no stage reads.
  package init(path: String) throws {
    if path == "-" {
      self = .stream
      return
    }
    let files = tableFiles(path)
    guard files.count == 1 else {
      for file in files {
        guard case .table = try InputKind(path: file) else {
          throw RSSIError(
            .badInput, "only tables are joined by +, and this is another kind of file", in: file,
            advice: "give recordings one by one")
        }
      }
      self = .table
      return
    }
    let (head, isPacked) = try firstBytes(path)
    if let foreign = ForeignContent(head) {
      throw RSSIError(.badInput, foreign.name, in: path, advice: foreign.advice)
    }
    if head.starts(with: [0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A]) {
      guard !isPacked else {
        throw RSSIError(
          .badInput, "the file in it is a trace, which has its own compression", in: path,
          advice: "unpack it first")
      }
      self = .trace
    } else if head.starts(with: Array("btsnoop".utf8)) {
      self = .btsnoop
    } else if PcapReader.recognizes(head) {
      self = .pcap
    } else if let format = LogFormat(head) {
      self = .log(format)
    } else if isJSON(head) {
      self = .stream
    } else if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) {
      self = .table
    } else if head.allSatisfy({ $0 >= 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }) {
      self = .table
    } else if try PacketLoggerReader.recognizes(path: path) {
      self = .packetLogger
    } else {
      throw RSSIError(
        .badInput,
        "unknown format: expected a trace, btsnoop, pcap, pcapng, PacketLogger, a CSV table or JSON",
        in: path, advice: "check which program wrote it")
    }
  }
}

/// Returns true for the first bytes of an object or of an array of objects, in UTF-8 or UTF-16,
/// with or without a byte order mark.
private func isJSON(_ head: [UInt8]) -> Bool {
  let marks: [[UInt8]] = [[0xEF, 0xBB, 0xBF], [0xFF, 0xFE], [0xFE, 0xFF]]
  let mark = marks.first { head.starts(with: $0) }?.count ?? 0
  let text = head.dropFirst(mark).filter { $0 != 0 || mark != 2 }
    .filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
  // Lines of a log may begin with a bracket too.
  return text.first == UInt8(ascii: "{")
    || text.first == UInt8(ascii: "[")
      && text.dropFirst().first.map { "{[]".utf8.contains($0) } == true
}

/// Returns the first bytes of the content of a file, or fewer if it is shorter.
private func firstBytes(_ path: String) throws -> (bytes: [UInt8], isPacked: Bool) {
  var status = stat()
  guard stat(path, &status) == 0 else { throw RSSIError.opening(path, errno) }
  guard status.st_mode & S_IFMT != S_IFDIR else { throw RSSIError.isDirectory(path: path) }
  guard status.st_mode & S_IFMT == S_IFREG else {
    throw RSSIError(
      .noInput, "this is a pipe or a device, and files are read more than once", in: path,
      advice: "save it first, or give NDJSON on standard input as -")
  }
  let head = try contentHead(of: path, atMost: LogFormat.headLength)
  guard !head.bytes.isEmpty else { throw RSSIError.empty(path: path) }
  return head
}

/// Passes the advertising reports of a recording or a trace to a sink, in order.
///
/// - Parameters:
///   - account: receives the counts of packets when reading ends, also if it throws.
///   - sighting: takes a row of a trace that came from a table, without a report.
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
  case .table, .stream, .log:
    throw RSSIError(
      .badInput,
      "\(path) contains levels but no advertisements, so it cannot be replayed: `rssi import` "
        + "reads it"
    )
  }
}

/// Passes the reports of a trace to a sink.
///
/// - Parameters:
///   - select: returns the rows of a block to pass on.
///   - sighting: takes a row that came from a table; nil leaves such rows out, and refuses a trace
///     without others.
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
      "\(reader.path) contains no raw advertisements, because it came from a table: export it as csv or ndjson"
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
