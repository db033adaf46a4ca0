import Advertising
package import Recordings
package import Sightings
package import Support
package import TraceStore

/// Reads a recording, a table or a stream into a trace builder, as one source.
///
/// - Parameters:
///   - receiver: the name of the receiver of a recording; nil = those of its adapters, or
///     "sniffer".
///   - trace: the name of a recording's trace; nil = that of its file.
///   - keepsWrongChecksums: as in `LinkLayerDecoder`.
///   - columns: the columns of tables, as a user named them.
///   - progress: receives how many bytes of the file were read.
///   - note: gets a sentence for a person, such as that the recording holds no sighting.
package func readInput<Sink: SightingSink & ~Copyable>(
  _ path: String, _ kind: InputKind, receiver: String?, trace: String? = nil,
  keepsWrongChecksums: Bool = false, columns: ColumnMap = ColumnMap(),
  progress: any ActivityProgress = SilentLog(), note: (String) -> Void,
  into builder: inout TraceBuilder<Sink>
) throws {
  func begin(receiver: String?) throws {
    builder.currentTrace = try builder.trace(named: trace ?? fileStem(path))
    builder.receiverName = receiver
  }
  func end(_ counts: DecodingCounts, _ account: RecordingAccount, isSniffer: Bool = false) {
    builder.account(for: counts)
    for sentence in account.sentences(of: path) { note(sentence) }
    guard counts.rejections[.unsupportedLinkType] == 0 else { return }
    let isCut = counts.cutReports > 0
    if let text = PacketFigures(counts).emptiness() {
      let advice =
        (isCut ? account.adviceOnCuts : nil)
        ?? (isSniffer
          ? "sniff the advertising channels 37, 38 and 39 near a beacon that advertises"
          : "record while a program scans for Bluetooth LE advertisements")
      note("warning: \(path) has \(text); \(advice)")
    } else if isCut, let advice = account.adviceOnCuts {
      note(
        "warning: \(path) has \(counted(counts.cutReports, "report")) that end too early; "
          + advice)
    }
  }
  switch kind {
  case .trace:
    throw RSSIError(
      .badInput, "\(path) is already a trace: filter, fit, eval, info and export read it")
  case .btsnoop:
    var reader = try BTSnoopReader(path: path, progress: progress)
    try begin(receiver: receiver)
    try reader.decode(into: &builder)
    end(reader.counts, reader.account)
  case .pcap:
    var reader = try PcapReader(path: path, progress: progress)
    if case .unsupported(let number, let name) = reader.linkType {
      note(
        "warning: \(path) has link type \(number) (\(name)), which is not supported: record Bluetooth "
          + "LE as one of 187, 201, 251, 254, 256, 272"
      )
    }
    try begin(receiver: receiver ?? (reader.linkType.isSniffer ? "sniffer" : nil))
    try reader.decode(into: &builder, keepsWrongChecksums: keepsWrongChecksums)
    end(reader.counts, reader.account, isSniffer: reader.linkType.isSniffer)
  case .packetLogger:
    var reader = try PacketLoggerReader(path: path, progress: progress)
    try begin(receiver: receiver)
    try reader.decode(into: &builder)
    end(reader.counts, reader.account)
  case .log where !columns.entries.isEmpty:
    _ = try SightingCSV.read(path, columns, progress: progress, note: note, into: &builder)
  case .log(let format):
    try begin(receiver: receiver)
    let counts = try LogReader.read(path, format, progress: progress, note: note, into: &builder)
    end(counts, RecordingAccount())
  case .table:
    _ = try SightingCSV.read(path, columns, progress: progress, note: note, into: &builder)
  case .stream:
    try SightingJSON.read(path, columns, progress: progress, note: note, into: &builder)
  }
  for text in try builder.endInput(path == "-" ? "the standard input" : path) { note(text) }
}

extension TraceReader {
  /// The files that the sightings are from. For a fit or a filter only the first is one, the trace
  /// itself as it was: the others are origins of a calibration.
  package var sources: [Provenance.Input] {
    provenance.flatMap {
      ["fit", "filter"].contains($0.stage) ? $0.inputs.prefix(1) : $0.inputs[...]
    }
  }

  /// Refuses a trace with a place or a distance that is not finite, implausibly large, or not in
  /// metres.
  ///
  /// - Parameter note: receives notes for the user about unusual places.
  package func requireUsablePlaces(note: (String) -> Void = { _ in }) throws {
    do throws(RSSIError) {
      for doubt in try catalogue.requireUsablePlaces() { note("warning: \(path): \(doubt)") }
    } catch {
      throw RSSIError(
        .badInput, error.description, in: path, advice: "import the recording again")
    }
  }
}

extension TraceReader {
  /// Refuses a trace of a table without times, for a stage that needs them.
  package func requireTimes() throws(RSSIError) { try catalogue.requireTimes(of: path) }
}

extension Catalogue {
  fileprivate func requireTimes(of path: String) throws(RSSIError) {
    guard untimedSightings > 0 else { return }
    throw RSSIError(
      .badInput,
      "\(counted(Int(untimedSightings), "sighting")) are of a table without times, and this stage "
        + "needs them", in: path,
      advice: "import the table with a column of times; `rssi eval` scores tables without times "
        + "with `epoch` place or stay")
  }
}

extension HeardCensus {
  /// Reads all sightings of a trace file, to explain why none can be used.
  package init(_ reader: TraceReader) throws {
    self.init()
    try reader.forEachBlock([.time, .link]) { add($0) }
  }
}

/// Refuses a filter that has no levels in a trace.
package func requireFilter(_ name: String, of reader: TraceReader) throws {
  let names = reader.filterNames()
  guard names.contains(name) else {
    throw RSSIError(
      .badInput,
      "\(reader.path) has no levels of the filter \"\(name)\"; it has "
        + (names.isEmpty ? "none: run `rssi filter` first" : names.joined(separator: ", ")))
  }
}

/// Passes on the sightings of any input in blocks: a trace, a recording, a table or a stream.
///
/// - Parameters:
///   - fields: the columns to read from a trace.
///   - filtered: the filter whose levels to read from a trace, in place of the raw ones.
///   - columns: the columns of a table of another program.
///   - needsTimes: true to refuse a table without times at its end.
///   - note: receives notes for the user, such as that a recording has no sighting.
///   - body: called with each block and the tables of its indices.
package func forEachBlock(
  of path: String, _ fields: SightingFields, filtered: String?, columns: ColumnMap = ColumnMap(),
  needsTimes: Bool = false, note: (String) -> Void,
  _ body: @escaping (SightingColumns, Catalogue) throws -> Void
) throws {
  let kind = try InputKind(path: path)
  guard kind != .trace else {
    let reader = try TraceReader(path: path)
    if let filtered { try requireFilter(filtered, of: reader) }
    try reader.requireUsablePlaces(note: note)
    try reader.forEachBlock(fields, filtered: filtered) { try body($0, reader.catalogue) }
    for text in try reader.levelNotes() { note(text) }
    return
  }
  guard filtered == nil else {
    throw RSSIError(
      .usage, "only traces contain filtered levels, and this is another kind of file", in: path,
      advice: "give a trace that `rssi filter` wrote")
  }
  var builder = TraceBuilder(into: BlockSink(body: body))
  try readInput(path, kind, receiver: nil, columns: columns, note: note, into: &builder)
  let catalogue = try builder.complete()
  if needsTimes { try catalogue.requireTimes(of: path) }
  for rejected in catalogue.refusals {
    note("\(path): refused \(rejected.count) × \(rejected.reason)")
  }
  do throws(RSSIError) {
    for doubt in try catalogue.requireUsablePlaces() { note("warning: \(path): \(doubt)") }
  } catch {
    throw RSSIError(error.kind, error.problem, in: error.subject ?? path, advice: error.advice)
  }
}

/// Passes on the sightings of any input, with advertising data, as an import does.
///
/// - Parameters:
///   - fields: the columns needed of a trace.
///   - columns: the columns of a table of another program.
///   - progress: receives the number of bytes that were read; for a trace, the share of its rows.
///   - note: receives notes for the user, such as refused input.
/// - Returns: the final tables.
package func forEachBlock<Sink: SightingSink & AnyObject>(
  of path: String, _ fields: SightingFields, columns: ColumnMap,
  progress: any ActivityProgress, note: (String) -> Void, into sink: Sink
) throws -> Catalogue {
  let kind = try InputKind(path: path)
  guard kind != .trace else {
    let reader = try TraceReader(path: path)
    try reader.forEachBlock(fields, progress, length: fileLength(path), into: sink)
    for text in try reader.levelNotes() { note(text) }
    return reader.catalogue
  }
  var builder = TraceBuilder(into: sink)
  try readInput(
    path, kind, receiver: nil, columns: columns, progress: progress, note: note, into: &builder)
  let catalogue = try builder.complete()
  for rejected in catalogue.refusals {
    note("\(path): refused \(rejected.count) × \(rejected.reason)")
  }
  return catalogue
}

extension TraceReader {
  /// Passes on all payloads, then all sightings.
  ///
  /// - Parameter length: the length of the file, for `progress`.
  fileprivate func forEachBlock<Sink: SightingSink & AnyObject>(
    _ fields: SightingFields, _ progress: any ActivityProgress, length: Int, into sink: Sink
  ) throws {
    var sink = sink
    let payloads = payloads()
    var new = NewPayloads()
    for index in 0..<payloads.count {
      let payload = try payloads[UInt32(index)]
      new.bytes += payload
      new.lengths.append(UInt16(payload.count))
      guard new.lengths.count == 4096 || index + 1 == payloads.count else { continue }
      try sink.append(SightingColumns(capacity: 0), payloads: new, catalogue: catalogue)
      new = NewPayloads()
    }
    var done = 0
    try forEachBlock(fields) { rows in
      try sink.append(rows, payloads: NewPayloads(), catalogue: catalogue)
      done += rows.count
      progress.update(Int(Double(length) * Double(done) / Double(count)))
    }
  }
}

/// A sink that passes blocks to a closure.
private struct BlockSink: SightingSink {
  let body: (SightingColumns, Catalogue) throws -> Void

  mutating func append(
    _ rows: SightingColumns, payloads: NewPayloads, catalogue: Catalogue
  ) throws {
    try body(rows, catalogue)
  }
}
