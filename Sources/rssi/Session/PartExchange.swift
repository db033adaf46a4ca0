import Capture
import Glibc
import Inputs
import LivePipelines
import Support
import TraceStore

/// What members do when a session is over: who gathers asks the others for their parts and merges
/// them, the others stay until it is done.
struct PartExchange {
  private let conversation: LobbyConversation
  private let session: Token
  private let reporting: ReportingOptions
  private let store: PartStore

  /// Nanoseconds that a member may be away or silent: longer than it pauses at most before it
  /// connects again.
  private static let patience: Int64 = 35_000_000_000
  /// Nanoseconds for which a broker is waited for.
  private static let longestOutage: Int64 = 60_000_000_000

  init(
    _ conversation: LobbyConversation, _ beginning: SessionBeginning, output: String,
    _ reporting: ReportingOptions
  ) throws {
    self.conversation = conversation
    self.reporting = reporting
    session = beginning.announcement.session
    store = try PartStore(output, of: conversation.me, in: session)
  }

  /// Hands over, and gathers where asked to; Ctrl-C goes without.
  ///
  /// - Parameters:
  ///   - path: the merged trace; nil leaves that to others.
  ///   - limit: bytes that the others' parts may have together.
  func run(gatheringInto path: String?, limit: UInt64) -> Gathering {
    StopSignals.ask(false)
    conversation.ended(with: store.parts)
    guard let path else {
      handOver()
      return Gathering()
    }
    var gathering = Gathering()
    var fetched: [FetchedPart] = []
    do {
      try waitForTheOthers()
      fetched = try fetch(into: &gathering, beside: path, limit: limit)
      gathering.merged = try merge(fetched, into: path)
      guard gathering.missing.isEmpty else {
        throw RSSIError(
          .failed,
          "\(path) lacks parts (\(names(gathering.missing))): copy them and run `rssi session "
            + "merge`"
        )
      }
    } catch {
      if gathering.merged == nil {
        gathering.missing = others.flatMap { Gathering.Missing.all(of: $0, "was not gathered") }
        reporting.note(
          "nothing was merged; the parts are there: `rssi session merge "
            + "\(store.files.joined(separator: " ")) … -o \(path)` does it later"
        )
      }
      gathering.failure = error
    }
    return gathering
  }

  private func names(_ missing: [Gathering.Missing]) -> String {
    Set(missing.map(\.member)).sorted().joined(separator: ", ")
  }

  private func merge(_ fetched: [FetchedPart], into path: String) throws -> MergedSession.Summary {
    let names = fetched.map { ($0.path, $0.part.file) }
    let merged = try MergedSession(
      store.files + fetched.map(\.path), names: Dictionary(names) { first, _ in first })
    let step = Provenance(
      stage: "session merge", toolVersion: ToolIdentity.program.version,
      commandLine: ToolIdentity.program.commandLine, inputs: [])
    // It may have been made since this member joined.
    try requireNothing(at: path, .inputOutput)
    return try withExtendedLifetime(fetched) { try merged.write(to: path, adding: step) }
  }

  private var others: [Member] { members(conversation.agreement) }

  private func members(_ agreement: LobbyConversation.Agreement) -> [Member] {
    agreement.others.filter { $0.session == session }
  }

  /// Whether a member is there, or was lost so recently that it may come back.
  private func isExpected(
    _ member: Member, _ agreement: LobbyConversation.Agreement, at now: Int64
  ) -> Bool {
    member.state.isPresent
      || member.state == .lost
        && agreement.connection.absence(of: member.name, at: now) < Self.patience
  }

  /// Serves until nobody is left who gathers.
  private func handOver() {
    var waitedFor = ""
    while !StopSignals.isStopAsked {
      let (agreement, now) = (conversation.agreement, SystemClock.monotonic)
      guard agreement.failure == nil else { return }
      let gatherers = members(agreement).filter { $0.gathers && isExpected($0, agreement, at: now) }
      if agreement.connection.isSettled(at: now), gatherers.isEmpty {
        if members(agreement).contains(where: { $0.gathers && $0.state == .lost }) {
          reporting.note("who gathers was lost: \(remains)")
        }
        return
      }
      guard agreement.connection.outage(at: now) < Self.longestOutage else {
        return reporting.note("the broker does not come back: \(remains)")
      }
      let names = gatherers.map(\.name).joined(separator: ", ")
      if waitedFor.isEmpty, !names.isEmpty {
        waitedFor = names
        reporting.note("handing over to \(names) when all are done; Ctrl-C goes at once")
      }
      serve(conversation.takeLetters())
    }
  }

  private var remains: String {
    "the part is there for `rssi session merge`, \(store.files.joined(separator: ", "))"
  }

  private func serve(_ letters: [BrokerChannel.Message]) {
    store.answer(letters, on: conversation)
    if letters.isEmpty { usleep(5000) }
  }

  /// Serves until nobody records any longer.
  private func waitForTheOthers() throws {
    var told: Set<String> = []
    while true {
      let (agreement, now) = (conversation.agreement, SystemClock.monotonic)
      try requireGoingOn(agreement, at: now)
      let awaited = members(agreement).filter {
        $0.state != .handing && isExpected($0, agreement, at: now)
      }
      for member in awaited where member.state == .lost && told.insert(member.name).inserted {
        reporting.note(
          "waiting \(Self.patience / 1_000_000_000) s for \(member.name), which was lost")
      }
      if agreement.connection.isSettled(at: now), awaited.isEmpty { return }
      serve(conversation.takeLetters())
    }
  }

  /// Ends the gathering where it cannot go on, or a person will not wait.
  private func requireGoingOn(
    _ agreement: LobbyConversation.Agreement, at now: Int64
  ) throws {
    if let failure = agreement.failure { throw failure }
    guard !StopSignals.isStopAsked else {
      throw RSSIError(.failed, "not gathered, as was asked for")
    }
    guard agreement.connection.outage(at: now) < Self.longestOutage else {
      throw RSSIError(.failed, "not gathered: the broker does not come back")
    }
  }

  /// Fetches the parts of who is there to give them; what does not come is missing.
  private func fetch(
    into gathering: inout Gathering, beside path: String, limit: UInt64
  ) throws -> [FetchedPart] {
    let members = others
    let there = members.filter { $0.state == .handing }
    for member in members where member.state != .handing {
      gathering.missing += Gathering.Missing.all(
        of: member, member.state == .lost ? "was lost" : "left")
    }
    let sizes = there.flatMap(\.parts).map { min($0.bytes, limit + 1) }
    guard sizes.reduce(0, { min($0 + $1, limit + 1) }) <= limit else {
      throw RSSIError(
        .failed,
        "the others' parts are longer than --max-transfer allows: raise it, or copy the parts and "
          + "run `rssi session merge`"
      )
    }
    var fetched: [FetchedPart] = []
    for member in there {
      if member.parts.isEmpty {
        gathering.missing += Gathering.Missing.all(of: member, "has no part that can be read")
      }
      for part in member.parts {
        do {
          fetched.append(try fetch(part, from: member.name, beside: path))
        } catch let left as Left {
          gathering.missing.append(
            Gathering.Missing(member: member.name, file: part.file, reason: left.reason))
        }
      }
    }
    for part in gathering.missing { reporting.note("not gathered: \(part.text)") }
    return fetched
  }

  /// Why a part is left out.
  private struct Left: Error {
    var reason: String
  }

  private func fetch(
    _ part: Member.Part, from name: String, beside path: String
  ) throws -> FetchedPart {
    let fetched = try FetchedPart(part, beside: path)
    let topics = conversation.topics
    var lastWord = SystemClock.monotonic
    while !fetched.isComplete {
      let (agreement, now) = (conversation.agreement, SystemClock.monotonic)
      try requireGoingOn(agreement, at: now)
      let connection = agreement.connection
      guard let giver = members(agreement).first(where: { $0.name == name }),
        isExpected(giver, agreement, at: now)
      else { throw Left(reason: "went before its part was here") }
      guard !connection.isThere || now - max(lastWord, connection.since) < Self.patience else {
        throw Left(reason: "did not send its part")
      }
      for request in fetched.requests(for: conversation.me.name, at: now) {
        conversation.send(try topics.encoded(request), to: topics.requests(to: name))
      }
      let letters = conversation.takeLetters()
      for letter in letters where letter.topic == topics.pieces(for: conversation.me.name) {
        guard let piece = PartTransfer.Piece(letter.payload) else { continue }
        if try fetched.take(piece) { lastWord = now }
      }
      serve(letters)
    }
    guard try fetched.isSound() else { throw Left(reason: "sent a damaged part") }
    // One that cannot be merged shall not keep the others from it.
    guard let single = try? MergedSession([fetched.path]), single.mark.id == session.description
    else {
      throw Left(reason: "sent what is no sound part of this session")
    }
    return fetched
  }
}
