import Advertising
import Glibc
import Recordings
import Sightings
import Support
import TraceStore

/// What a file holds, told by its content and never by its name.
enum InputKind {
  case trace
  case btsnoop
  case pcap
  case packetLogger
  case table
  case stream

  /// - Throws: `RSSIError` for what no stage reads, in words that say what it is.
  init(path: String) throws {
    if path == "-" {
      self = .stream
      return
    }
    let head = try firstBytes(path)
    if head.starts(with: [0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .trace
    } else if head.starts(with: Array("btsnoop".utf8)) {
      self = .btsnoop
    } else if PcapReader.recognizes(head) {
      self = .pcap
    } else if head.first(where: { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 })
      == UInt8(ascii: "{")
    {
      self = .stream
    } else if head.allSatisfy({ $0 >= 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }) {
      self = .table
    } else if try PacketLoggerReader.recognizes(path: path) {
      self = .packetLogger
    } else {
      throw RSSIError(
        .badInput,
        "\(path) is neither a trace, nor btsnoop, pcap, pcapng or PacketLogger, nor a CSV table, "
          + "nor NDJSON: check which program wrote it"
      )
    }
  }
}

/// The first 512 bytes of a file, or fewer where it is shorter.
private func firstBytes(_ path: String) throws -> [UInt8] {
  var status = stat()
  guard stat(path, &status) == 0 else {
    throw RSSIError(
      errno == EACCES ? .permission : .noInput,
      "cannot open \(path): \(String(cString: strerror(errno)))")
  }
  guard status.st_mode & S_IFMT != S_IFDIR else {
    throw RSSIError(.noInput, "\(path) is a directory: name the files in it")
  }
  guard status.st_mode & S_IFMT == S_IFREG else {
    throw RSSIError(
      .noInput,
      "\(path) is a pipe or a device, and a file is read more than once: save it first, or give "
        + "NDJSON on standard input as -"
    )
  }
  guard let file = fopen(path, "r") else {
    throw RSSIError(
      errno == EACCES ? .permission : .noInput,
      "cannot open \(path): \(String(cString: strerror(errno)))")
  }
  defer { fclose(file) }
  var bytes = [UInt8](repeating: 0, count: 512)
  let count = fread(&bytes, 1, bytes.count, file)
  guard count > 0 else { throw RSSIError(.badInput, "\(path) is empty") }
  return Array(bytes[..<count])
}

/// Reads a recording, a table or a stream into an intake, as one source.
///
/// - Parameters:
///   - receiver: the name of the receiver of a recording; nil names its adapters, or "sniffer".
///   - trace: the name of a recording's trace; nil = that of its file.
///   - keepsWrongChecksums: as of `LinkLayerDecoder`.
///   - note: gets a sentence for a person, such as that the recording holds no sighting.
func take<Sink: SightingSink & ~Copyable>(
  _ path: String, _ kind: InputKind, receiver: String?, trace: String? = nil,
  keepsWrongChecksums: Bool = false,
  note: (String) -> Void = { StandardError.write(line: $0) }, into intake: inout Intake<Sink>
) throws {
  func begin(receiver: String?) throws {
    intake.currentTrace = try intake.trace(named: trace ?? fileStem(path))
    intake.receiverName = receiver
  }
  func end(_ counts: DecodingCounts) {
    intake.account(for: counts)
    guard counts.rejections[.unsupportedLinkType] == 0,
      let text = PacketFigures(counts).emptiness
    else { return }
    note("\(path) has \(text); record while a program scans for Bluetooth LE advertisements")
  }
  switch kind {
  case .trace:
    throw RSSIError(
      .badInput, "\(path) is a trace already: filter, fit, eval, info and export read it")
  case .btsnoop:
    var reader = try BTSnoopReader(path: path)
    try begin(receiver: receiver)
    try end(reader.decode(into: &intake))
  case .pcap:
    var reader = try PcapReader(path: path)
    if case .unsupported(let number, let name) = reader.linkType {
      note(
        "\(path) has link type \(number) (\(name)), of which no packet is read: record Bluetooth "
          + "LE as one of 187, 201, 251, 254, 256, 272"
      )
    }
    try begin(receiver: receiver ?? (reader.linkType.isSniffer ? "sniffer" : nil))
    try end(reader.decode(into: &intake, keepsWrongChecksums: keepsWrongChecksums))
  case .packetLogger:
    var reader = try PacketLoggerReader(path: path)
    try begin(receiver: receiver)
    try end(reader.decode(into: &intake))
  case .table:
    _ = try Recordings.SightingTable.read(path, into: &intake)
  case .stream:
    var stream = try SightingStream(path: path, trace: path == "-" ? "stdin" : fileStem(path))
    while try stream.next(into: &intake) {}
  }
}

extension TraceReader {
  /// Refuses a trace with a place or a distance that is not finite, or longer than any site.
  func requireUsablePlaces() throws {
    do throws(RSSIError) {
      try catalogue.requireUsablePlaces()
    } catch {
      throw RSSIError(.badInput, "\(path): \(error.description): import the recording again")
    }
  }
}

/// Refuses the name of a filter whose levels a trace does not hold.
func requireFilter(_ name: String, of reader: TraceReader) throws {
  let names = reader.filterNames()
  guard names.contains(name) else {
    throw RSSIError(
      .badInput,
      "\(reader.path) has no levels of the filter \"\(name)\"; it has "
        + (names.isEmpty ? "none: run `rssi filter` first" : names.joined(separator: ", ")))
  }
}

/// Hands over the sightings of any input in blocks: a trace, a recording, a table or a stream.
///
/// - Parameters:
///   - fields: the columns needed of a trace.
///   - filtered: the filter whose levels to read from a trace, in place of the raw ones.
///   - body: called with each block and the tables that its indices point into.
func forEachBlock(
  of path: String, _ fields: SightingFields, filtered: String?,
  _ body: @escaping (SightingColumns, Catalogue) throws -> Void
) throws {
  let kind = try InputKind(path: path)
  guard kind != .trace else {
    let reader = try TraceReader(path: path)
    if let filtered { try requireFilter(filtered, of: reader) }
    try reader.requireUsablePlaces()
    try reader.forEachBlock(fields, filtered: filtered) { try body($0, reader.catalogue) }
    return
  }
  guard filtered == nil else {
    throw RSSIError(
      .usage, "--filtered needs a trace that `rssi filter` wrote; \(path) is none")
  }
  var intake = Intake(into: BlockSink(body: body))
  try take(path, kind, receiver: nil, into: &intake)
  _ = try intake.complete()
}

/// A sink that hands blocks to a closure.
private struct BlockSink: SightingSink {
  let body: (SightingColumns, Catalogue) throws -> Void

  mutating func append(
    _ rows: SightingColumns, payloads: NewPayloads, catalogue: Catalogue
  ) throws {
    try body(rows, catalogue)
  }
}
