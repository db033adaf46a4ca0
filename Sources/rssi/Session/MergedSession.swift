import LivePipelines
import Sightings
import Support
import TraceStore

/// The parts of a session as one trace: by the session's time, receivers told apart, every sighting
/// once. What comes of it depends on the parts alone, not on their order.
struct MergedSession {
  let mark: SessionMark
  private let readers: [(reader: TraceReader, part: SessionPart)]
  private let names: [String: String]
  /// Files that are copies of others.
  let copies: [String]

  /// - Parameter names: what people call files that have other names here.
  /// - Throws: `RSSIError` where the files are no parts, or not all of one session.
  init(_ paths: [String], names: [String: String] = [:]) throws {
    self.names = names
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
      // Of a copy that was made while the part was being recorded the longer one has it all.
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
        "\(reader.path) is no part of a session: `rssi session join` records one; traces of their "
          + "own need no merging, every stage takes several"
      )
    }
    guard !mark.isMerged else {
      throw RSSIError(
        .badInput, "\(reader.path) is merged already: name the parts that it was made of")
    }
    guard !reader.isLive else {
      throw RSSIError(
        .badInput, "\(reader.path) is being recorded: stop the session first")
    }
    // Names are shown and become names of receivers: only what `join` writes gets further.
    guard reader.catalogue.parts.count == 1, let part = reader.catalogue.parts.first,
      isLobbyName(mark.lobby), Token(mark.id) != nil, isLobbyName(part.member),
      Token(part.id) != nil, Token(part.key) != nil
    else {
      throw RSSIError(
        .badInput,
        "/session of \(reader.path) does not say whose part it is: it is damaged; leave it out")
    }
    _ = try PartRows.knots(of: reader)
    return (mark, part)
  }

  /// Writes the merged trace.
  ///
  /// - Parameter step: what is done, added to the provenance of the parts.
  func write(to path: String, adding step: Provenance) throws -> Summary {
    let provenance = readers.flatMap(\.reader.provenance) + [step]
    var intake = Intake(
      into: try TraceSink(path: path, provenance: provenance, session: mark))
    let parts = try readers.enumerated().map { index, one in
      try PartRows(one.reader, one.part, number: UInt16(clamping: index))
    }
    for part in parts { try part.begin(&intake) }
    var members = Dictionary(grouping: parts, by: \.part.key).values
      .sorted { $0[0].number < $1[0].number }.map { MemberRows($0) }
    var count = 0
    while let next = Self.earliest(of: members) {
      guard let sighting = try members[next].next(&intake) else { break }
      try intake.append(sighting)
      count += 1
    }
    let catalogue = try intake.complete()
    try intake.takeSink().finish(catalogue)
    return Summary(
      path: path, sightings: count, repeated: members.reduce(0) { $0 + $1.repeated },
      copies: copies, parts: readers.map { Summary.Part($0.part, of: $0.reader, names) })
  }

  private static func earliest(of members: [MemberRows]) -> Int? {
    var best: (index: Int, time: Int64)?
    for (index, member) in members.enumerated() {
      guard let time = member.time else { continue }
      if time < best?.time ?? .max || best == nil { best = (index, time) }
    }
    return best?.index
  }
}
