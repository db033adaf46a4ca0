import Capture
import Support
import TraceStore

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

  private func merge(_ fetched: [FetchedPart], into path: String) throws -> MergeResult {
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
  private func requireGoingOn(_ agreement: LobbyAgreement, at now: Int64) throws {
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
