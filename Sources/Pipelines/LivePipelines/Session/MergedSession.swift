import Sightings
import Support
public import TracePipelines
import TraceStore

/// The result of a merge.
public struct SessionMergeResult: Equatable, Sendable {
  /// One part of the session in the merged trace.
  public struct Part: Equatable, Sendable {
    /// The name of the member.
    public var member: String
    /// The number of the part among those of its member.
    public var number: Int
    /// The file of the part.
    public var file: String
    /// The number of its sightings.
    public var sightings: Int
    /// The last measured offset of its clock from the session's time, in nanoseconds; nil without
    /// measurements.
    public var offset: Int64?
    /// The largest bound of the offset's error, in nanoseconds; nil without measurements.
    public var uncertainty: Int64?
  }

  /// The merged trace.
  public var path: String
  /// The number of sightings in it.
  public var sightings: Int
  /// The number of rows that two parts of one member have.
  public var repeated: Int
  /// Files that are copies of others.
  public var copies: [String]
  /// The parts that were merged.
  public var parts: [Part]
}

/// The parts of a session to merge, and the trace to write.
public struct SessionMergeRequest: Sendable {
  /// The files of the parts.
  public var parts: [String]
  /// The trace to write.
  public var output: String

  /// Creates a request.
  public init(_ parts: [String], into output: String) {
    (self.parts, self.output) = (parts, output)
  }
}

/// Merges the parts of a session into one trace, in the session's time.
public struct SessionMergeStage: Stage {
  private let request: SessionMergeRequest

  public init(_ request: SessionMergeRequest) { self.request = request }

  public func perform(in context: StageContext) throws -> SessionMergeResult {
    let session = try MergedSession(request.parts)
    for copy in session.copies { context.log.note("\(copy) is a copy of another part: left out") }
    return try session.write(
      to: request.output,
      adding: context.tool.provenance(of: "session merge", inputs: request.parts))
  }
}

/// The parts of a session as one trace: by the session's time, with each member's receivers
/// separate, and every sighting once. The order of the parts does not change the result.
struct MergedSession {
  let mark: SessionMark
  private let readers: [(reader: TraceReader, part: SessionPart)]
  /// Files that are copies of others.
  let copies: [String]

  /// - Throws: `RSSIError` if a file is not a part, or the parts are not of one session.
  init(_ paths: [String]) throws {
    var byID: [String: (reader: TraceReader, part: SessionPart)] = [:]
    var copies: [String] = []
    var mark: (mark: SessionMark, path: String)?
    for path in paths {
      let reader = try TraceReader(path: path)
      let (own, part) = try Self.part(of: reader)
      if let first = mark, first.mark.id != own.id {
        throw RSSIError(
          .badInput,
          "\(first.path) is of session \(first.mark.id.prefix(8)) in \(first.mark.lobby), \(path) "
            + "of \(own.id.prefix(8)) in \(own.lobby): merge parts of one session"
        )
      }
      mark = mark ?? (own, path)
      guard let known = byID[part.id] else {
        byID[part.id] = (reader, part)
        continue
      }
      // Of copies made during the recording, the longer one has all rows.
      let isLonger = reader.count > known.reader.count
      copies.append(isLonger ? known.reader.path : path)
      if isLonger { byID[part.id] = (reader, part) }
    }
    guard let mark else { throw RSSIError(.usage, "name the parts to merge") }
    self.mark = SessionMark(
      lobby: mark.mark.lobby, id: mark.mark.id, start: mark.mark.start, isMerged: true)
    self.copies = copies
    readers = byID.values.sorted {
      ($0.part.member, $0.part.number, $0.part.id) < ($1.part.member, $1.part.number, $1.part.id)
    }
  }

  private static func part(of reader: TraceReader) throws -> (SessionMark, SessionPart) {
    guard let mark = reader.session else {
      throw RSSIError(
        .badInput,
        "\(reader.path) is not a part of a session, which `rssi session start` and `join` record; "
          + "separate traces need no merging, every stage takes several"
      )
    }
    guard !mark.isMerged else {
      throw RSSIError(
        .badInput, "\(reader.path) is already merged: name the original parts")
    }
    guard !reader.isLive else {
      throw RSSIError(
        .badInput, "\(reader.path) is being recorded: stop the session first")
    }
    // Names are shown and become names of receivers: only valid names of members pass.
    guard reader.catalogue.parts.count == 1, let part = reader.catalogue.parts.first,
      isSessionName(mark.lobby), Token(mark.id) != nil, isSessionName(part.member),
      Token(part.id) != nil, Token(part.key) != nil
    else {
      throw RSSIError(
        .badInput,
        "/session of \(reader.path) does not name the part's member: it is damaged; leave it out")
    }
    _ = try offsets(of: reader)
    return (mark, part)
  }

  /// Writes the merged trace.
  ///
  /// - Parameter step: the merge, added to the provenance of the parts.
  func write(to path: String, adding step: Provenance) throws -> SessionMergeResult {
    let provenance = readers.flatMap(\.reader.provenance) + [step]
    var builder = TraceBuilder(
      into: try TraceSink(
        path: path, heading: TraceHeading(provenance: provenance, session: mark)))
    var members: [String: [TracePart]] = [:]
    for (number, (reader, part)) in readers.enumerated() {
      let rows = TracePart(reader, clock: try Self.clock(of: reader, part))
      try rows.begin(&builder) { Self.name(of: $0, in: part) }
      Self.add(part, number: UInt16(clamping: number), of: rows, to: &builder)
      members[part.key, default: []].append(rows)
    }
    // In the order of their first parts.
    var order: [String] = []
    for (_, part) in readers where !order.contains(part.key) { order.append(part.key) }
    var rows = order.compactMap { members[$0].map(DeduplicatedRows.init) }
    var count = 0
    while let next = Self.earliest(of: rows) {
      guard let sighting = try rows[next].next(&builder) else { break }
      try builder.append(sighting)
      count += 1
    }
    let catalogue = try builder.complete()
    try builder.takeSink().finish(catalogue)
    return SessionMergeResult(
      path: path, sightings: count, repeated: rows.reduce(0) { $0 + $1.repeated },
      copies: copies, parts: readers.map(result))
  }

  private func result(_ reader: TraceReader, _ part: SessionPart) -> SessionMergeResult.Part {
    let offsets = reader.catalogue.offsets
    return SessionMergeResult.Part(
      member: part.member, number: Int(part.number), file: reader.path,
      sightings: reader.count, offset: offsets.last?.offset,
      uncertainty: offsets.map(\.uncertainty).max())
  }

  private static func earliest(of members: [DeduplicatedRows]) -> Int? {
    var best: (index: Int, time: Int64)?
    for (index, member) in members.enumerated() {
      guard let time = member.time else { continue }
      if time < best?.time ?? .max || best == nil { best = (index, time) }
    }
    return best?.index
  }
}

// The member and the clock that was compared, which only a part of a session has.
extension MergedSession {
  /// Returns the measured offsets, by the clock that was compared.
  ///
  /// A clock may be decades off before a time service sets it, but no clock counts beyond 2^62 ns.
  static func offsets(of reader: TraceReader) throws -> [OffsetTrack.Knot] {
    try reader.catalogue.offsets.map { measured in
      let local = measured.time.subtractingReportingOverflow(measured.offset)
      guard !local.overflow, local.partialValue.magnitude < 1 << 62 else {
        throw RSSIError(
          .badInput,
          "/session/offsets of \(reader.path) has an implausible time: it is damaged; "
            + "leave it out"
        )
      }
      return OffsetTrack.Knot(local: local.partialValue, offset: measured.offset)
    }
  }

  /// Returns the clock of a part; offsets do not apply to a replayed recording, whose times are not
  /// of the machine's clock.
  static func clock(of reader: TraceReader, _ part: SessionPart) throws -> PartClock {
    part.isMachineClock ? PartClock(of: OffsetTrack(try offsets(of: reader))) : PartClock()
  }

  /// Returns a receiver's name behind that of its member, so that two receivers named hci0 differ.
  ///
  /// A name that is too long ends in its digest, which no other name has.
  static func name(of receiver: Node, in part: SessionPart) -> String {
    guard receiver.id != part.member, !receiver.id.hasPrefix(part.member + "/") else {
      return receiver.id
    }
    let name = "\(part.member)/\(receiver.id)"
    guard !TextLimit.nodeIdentity.admits(name) else { return name }
    var hash = SHA256()
    let bytes = Array(name.utf8)
    hash.update(bytes.span)
    let digest = hash.hexadecimalDigest().prefix(16)
    return TextLimit.words(TextLimit.nodeIdentity.bytes - 17).fitted(name) + "-" + digest
  }

  /// Adds a part and its clock to the tables of the session.
  static func add<Sink: SightingSink & ~Copyable>(
    _ part: SessionPart, number: UInt16, of rows: TracePart, to builder: inout TraceBuilder<Sink>
  ) {
    for var offset in rows.reader.catalogue.offsets {
      offset.part = number
      builder.append(offset)
    }
    for var reading in rows.reader.catalogue.clock {
      reading.time = rows.shifted(reading.time, by: nil)
      builder.append(PartClockReading(part: number, reading: reading))
    }
    builder.append(part)
  }
}
