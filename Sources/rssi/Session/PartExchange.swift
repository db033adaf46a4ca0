import Capture
import Glibc
import Sessions
import TraceStore

/// What members do when a session is over: who gathers asks the others for their parts and merges
/// them, the others stay until it is done.
struct PartExchange {
  private let conversation: LobbyConversation
  private let session: Token
  private let reporting: ReportingOptions
  private let store: PartStore

  /// Nanoseconds that a member may be away while its part is fetched.
  private static let patience: Int64 = 30_000_000_000

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
  func run(gatheringInto path: String?, limit: UInt64) throws -> MergedSession.Summary? {
    StopSignals.ask(false)
    conversation.ended(with: store.parts)
    guard let path else {
      handOver()
      return nil
    }
    guard waitForTheOthers() else {
      reporting.note("not gathered: `rssi session merge` does it later")
      return nil
    }
    let fetched = try fetch(from: others, beside: path, limit: limit)
    let names = fetched.map { ($0.path, $0.part.file) }
    let merged = try MergedSession(
      store.files + fetched.map(\.path), names: Dictionary(names) { first, _ in first })
    let step = Provenance(
      stage: "session merge", toolVersion: toolVersion, commandLine: commandLine(), inputs: [])
    return try withExtendedLifetime(fetched) { try merged.write(to: path, adding: step) }
  }

  private var others: [Member] {
    conversation.agreement.others.filter { $0.session == session }
  }

  /// Serves until nobody is left who gathers.
  private func handOver() {
    var isTold = false
    while !StopSignals.isStopAsked, conversation.agreement.failure == nil {
      let gatherers = others.filter { $0.gathers && $0.state.isPresent }
      guard !gatherers.isEmpty else { return }
      if !isTold {
        isTold = true
        reporting.note(
          "handing over to \(gatherers.map(\.name).joined(separator: ", ")) when all are done; Ctrl-C goes at once"
        )
      }
      serve(conversation.takeLetters())
    }
  }

  private func serve(_ letters: [BrokerChannel.Message]) {
    store.answer(letters, on: conversation)
    if letters.isEmpty { usleep(5000) }
  }

  /// Serves until nobody records any longer; false where a person will not wait.
  private func waitForTheOthers() -> Bool {
    while others.contains(where: { $0.state.isPresent && $0.state != .handing }) {
      if StopSignals.isStopAsked || conversation.agreement.failure != nil { return false }
      serve(conversation.takeLetters())
    }
    return true
  }

  /// Fetches the parts of who is there to give them.
  private func fetch(
    from members: [Member], beside path: String, limit: UInt64
  ) throws -> [FetchedPart] {
    for member in members where member.state != .handing {
      reporting.note(
        "\(member.name) \(member.state == .lost ? "was lost" : "left"): its part is not gathered, add it with `rssi session merge`"
      )
    }
    let there = members.filter { $0.state == .handing }
    let sizes = there.flatMap(\.parts).map { min($0.bytes, limit + 1) }
    guard sizes.reduce(0, { min($0 + $1, limit + 1) }) <= limit else {
      throw Failure(
        Failure.failed,
        "the others' parts are longer than --max-transfer allows: raise it, or copy the parts and run `rssi session merge`"
      )
    }
    var fetched: [FetchedPart] = []
    for member in there {
      for part in member.parts {
        fetched.append(try fetch(part, from: member.name, beside: path))
      }
    }
    return fetched
  }

  private func fetch(
    _ part: Member.Part, from name: String, beside path: String
  ) throws -> FetchedPart {
    let fetched = try FetchedPart(part, beside: path)
    let topics = conversation.topics
    var lastWord = SystemClock.monotonic
    while !fetched.isComplete {
      let now = SystemClock.monotonic
      guard !StopSignals.isStopAsked, now - lastWord < Self.patience else {
        throw Failure(
          Failure.failed,
          "the part \(part.file) of \(name) did not arrive: copy it and run `rssi session merge`")
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
    guard try fetched.isSound() else {
      throw Failure(
        Failure.badInput,
        "the part \(part.file) of \(name) arrived damaged: copy it and run `rssi session merge`")
    }
    return fetched
  }
}
