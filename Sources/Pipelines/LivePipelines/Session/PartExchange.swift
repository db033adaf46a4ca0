import Capture
import Sightings
import Support

/// What members do when a session is over: a member that gathers requests the parts of the others
/// and merges them, the others stay until that is done.
struct PartExchange {
  let request: SessionRequest
  let mailbox: LobbyMailbox
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
    _ request: SessionRequest, _ mailbox: LobbyMailbox, _ session: Token, _ context: LiveContext
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
  func members(_ agreement: LobbyAgreement) -> [Member] {
    agreement.others.filter { $0.session == session }
  }

  /// Whether a member is there, or was lost so recently that it may come back.
  func isExpected(_ member: Member, _ agreement: LobbyAgreement, at now: Int64) -> Bool {
    member.state.isPresent
      || member.state == .lost
        && agreement.connection.absence(of: member.name, at: now) < Self.patience
  }

  /// Whether the broker is away for too long.
  func isOut(_ agreement: LobbyAgreement, at now: Int64) -> Bool {
    agreement.connection.outage(at: now) >= Self.longestOutage
  }

  /// Answers the requests among letters; pauses where there are no letters.
  func serve(_ letters: [BrokerChannel.Message]) {
    store.answer(letters, over: mailbox)
    if letters.isEmpty { context.clock.pause(Self.pause) }
  }
}
