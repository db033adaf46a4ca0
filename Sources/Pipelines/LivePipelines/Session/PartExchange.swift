import Capture
import Sightings
import Support
import TracePipelines
import TraceStore

/// The work of members when a session is over: a member that gathers requests the parts of the
/// others and merges them, the others stay until that is done.
struct PartExchange {
  let request: SessionRequest
  let mailbox: RendezvousMailbox
  let session: Token
  let context: LiveContext
  let store: PartStore

  /// Nanoseconds that a member may be away or silent: longer than it pauses at most before it
  /// connects again.
  static let patience = 35 * Timestamp.second
  /// Nanoseconds that the broker may be away.
  private static let longestOutage = 60 * Timestamp.second
  /// Milliseconds between two looks for letters.
  private static let pause: Int32 = 5

  /// - Throws: `RSSIError` if this member's parts cannot be read.
  init(
    _ request: SessionRequest, _ mailbox: RendezvousMailbox, _ session: Token,
    _ context: LiveContext
  ) throws {
    (self.request, self.mailbox, self.session) = (request, mailbox, session)
    self.context = context
    store = try PartStore(request.output, of: mailbox.me, in: session)
  }

  /// Hands the parts over, and gathers where that was requested; a request to stop ends it.
  func run() -> Gathering {
    context.control.withdrawStop()
    mailbox.ended(with: store.parts)
    guard let path = request.merge else {
      handOver()
      return Gathering()
    }
    return gather(into: path)
  }

  /// Serves until no member is left that gathers.
  private func handOver() {
    var waitedFor = ""
    while !context.control.isStopAsked {
      let (agreement, now) = (mailbox.agreement, context.clock.monotonic())
      guard agreement.failure == nil else { return }
      let gatherers = members(agreement).filter { $0.gathers && isExpected($0, agreement, at: now) }
      if agreement.connection.isSettled(at: now), gatherers.isEmpty {
        if members(agreement).contains(where: { $0.gathers && $0.state == .lost }) {
          context.log.warn("the member that gathers was lost: \(remains)")
        }
        return
      }
      guard !isOut(agreement, at: now) else {
        return context.log.warn("the broker does not come back: \(remains)")
      }
      let names = gatherers.map(\.name).joined(separator: ", ")
      if waitedFor.isEmpty, !names.isEmpty {
        waitedFor = names
        context.log.note("handing over to \(names) when all are done; Ctrl-C goes at once")
      }
      serve(mailbox.takeLetters())
    }
  }

  private var remains: String {
    "the part is there for `rssi session merge`, \(store.files.joined(separator: ", "))"
  }

  /// The other members of the session.
  func members(_ agreement: RendezvousAgreement) -> [Member] {
    agreement.others.filter { $0.session == session }
  }

  /// Returns true if a member is there, or was lost so recently that it may come back.
  func isExpected(_ member: Member, _ agreement: RendezvousAgreement, at now: Int64) -> Bool {
    member.state.isPresent
      || member.state == .lost
        && agreement.connection.absence(of: member.name, at: now) < Self.patience
  }

  /// Returns true if the broker is away for too long.
  func isOut(_ agreement: RendezvousAgreement, at now: Int64) -> Bool {
    agreement.connection.outage(at: now) >= Self.longestOutage
  }

  /// Answers the requests among letters; pauses where there are no letters.
  func serve(_ letters: [BrokerChannel.Message]) {
    store.answer(letters, over: mailbox)
    if letters.isEmpty { context.clock.pause(Self.pause) }
  }
}

// How a member gathers the parts of the others.
extension PartExchange {
  func gather(into path: String) -> Gathering {
    var gathering = Gathering()
    do {
      try waitForTheOthers()
      let fetched = try fetchAll(into: &gathering, nextTo: path)
      gathering.merged = try merge(fetched, into: path)
      guard gathering.missing.isEmpty else {
        let names = Set(gathering.missing.map(\.member)).sorted().joined(separator: ", ")
        throw RSSIError(
          .failed, "\(path) lacks parts (\(names)): copy them and run `rssi session merge`")
      }
    } catch {
      if gathering.merged == nil {
        gathering.missing = members(mailbox.agreement).flatMap {
          Gathering.Missing.all(of: $0, "was not gathered")
        }
        context.log.warn(
          "nothing was merged; the parts are there: `rssi session merge "
            + "\(store.files.joined(separator: " ")) … -o \(path)` merges them later"
        )
      }
      gathering.failure = error
    }
    return gathering
  }

  private func merge(_ fetched: [FetchedPart], into path: String) throws -> SessionMergeResult {
    let names = fetched.map { ($0.path, $0.part.file) }
    let merged = try MergedSession(
      store.files + fetched.map(\.path), names: Dictionary(names) { first, _ in first })
    let step = Provenance(
      stage: "session merge", toolVersion: context.tool.version,
      commandLine: context.tool.commandLine, inputs: [])
    // It may have been made since this member joined.
    try requireNothing(at: path, .inputOutput)
    return try withExtendedLifetime(fetched) { try merged.write(to: path, adding: step) }
  }

  /// Serves until no other member records.
  private func waitForTheOthers() throws {
    var noted: Set<String> = []
    while true {
      let (agreement, now) = (mailbox.agreement, context.clock.monotonic())
      try requireGoingOn(agreement, at: now)
      let awaited = members(agreement).filter {
        $0.state != .handing && isExpected($0, agreement, at: now)
      }
      for member in awaited where member.state == .lost && noted.insert(member.name).inserted {
        context.log.note(
          "waiting \(Self.patience / 1_000_000_000) s for \(member.name), which was lost")
      }
      if agreement.connection.isSettled(at: now), awaited.isEmpty { return }
      serve(mailbox.takeLetters())
    }
  }

  /// Ends the gathering where it cannot go on, or the user does not wait.
  private func requireGoingOn(_ agreement: RendezvousAgreement, at now: Int64) throws {
    if let failure = agreement.failure { throw failure }
    guard !context.control.isStopAsked else {
      throw RSSIError(.failed, "not gathered, as was asked for")
    }
    guard !isOut(agreement, at: now) else {
      throw RSSIError(.failed, "not gathered: the broker does not come back")
    }
  }

  /// Fetches the parts of the members that are there to give them; the others' parts are missing.
  private func fetchAll(
    into gathering: inout Gathering, nextTo path: String
  ) throws -> [FetchedPart] {
    let members = members(mailbox.agreement)
    let there = members.filter { $0.state == .handing }
    for member in members where member.state != .handing {
      gathering.missing += Gathering.Missing.all(
        of: member, member.state == .lost ? "was lost" : "left")
    }
    try requireRoom(for: there.flatMap(\.parts))
    var fetched: [FetchedPart] = []
    for member in there {
      if member.parts.isEmpty {
        gathering.missing += Gathering.Missing.all(of: member, "has no part that can be read")
      }
      for part in member.parts {
        do {
          fetched.append(try fetch(part, from: member.name, nextTo: path))
        } catch let omission as Omission {
          gathering.missing.append(
            Gathering.Missing(member: member.name, file: part.file, reason: omission.reason))
        }
      }
    }
    for part in gathering.missing { context.log.warn("not gathered: \(part.text)") }
    return fetched
  }

  private func requireRoom(for parts: [Member.Part]) throws {
    var left = request.maxTransfer
    for part in parts {
      guard part.bytes <= left else {
        throw RSSIError(
          .failed,
          "the others' parts are longer than `maxTransfer` allows: raise it, or copy the parts and "
            + "run `rssi session merge`"
        )
      }
      left -= part.bytes
    }
  }

  /// Why a part is left out, as a clause whose subject is the member.
  private struct Omission: Error {
    var reason: String
  }

  private func fetch(
    _ part: Member.Part, from name: String, nextTo path: String
  ) throws -> FetchedPart {
    let fetched = try FetchedPart(part, nextTo: path)
    let topics = mailbox.topics
    var latest = context.clock.monotonic()
    while !fetched.isComplete {
      let (agreement, now) = (mailbox.agreement, context.clock.monotonic())
      try requireGoingOn(agreement, at: now)
      let connection = agreement.connection
      guard let giver = members(agreement).first(where: { $0.name == name }),
        isExpected(giver, agreement, at: now)
      else { throw Omission(reason: "went before its part was here") }
      guard !connection.isThere || now - max(latest, connection.since) < Self.patience else {
        throw Omission(reason: "did not send its part")
      }
      for request in fetched.requests(for: mailbox.me.name, at: now) {
        mailbox.send(try jsonLine(request), to: topics.requests(to: name))
      }
      let letters = mailbox.takeLetters()
      for letter in letters where letter.topic == topics.pieces(for: mailbox.me.name) {
        guard let piece = PartTransfer.Piece(letter.payload) else { continue }
        if try fetched.take(piece) { latest = now }
      }
      serve(letters)
    }
    guard try fetched.isSound() else { throw Omission(reason: "sent a damaged part") }
    // One that cannot be merged must not keep the others from it.
    guard let single = try? MergedSession([fetched.path]), single.mark.id == session.description
    else {
      throw Omission(reason: "sent a file that is not a sound part of this session")
    }
    return fetched
  }
}

/// The fate of the parts of all members when a session was over.
package struct Gathering {
  /// A part of a member of the session that is not in the merged trace.
  package struct Missing: Equatable, Sendable {
    package var member: String
    /// Nil where the member did not report what it recorded.
    package var file: String?
    /// A clause whose subject is the member.
    package var reason: String

    package var text: String { "\(file.map { "\($0) of " } ?? "")\(member): it \(reason)" }

    /// All parts of a member.
    static func all(of member: Member, _ reason: String) -> [Missing] {
      guard !member.parts.isEmpty else {
        return [Missing(member: member.name, file: nil, reason: reason)]
      }
      return member.parts.map { Missing(member: member.name, file: $0.file, reason: reason) }
    }
  }

  package var merged: SessionMergeResult?
  package var missing: [Missing] = []
  /// Why the merged trace lacks parts that were requested.
  package var failure: (any Error)?
}
