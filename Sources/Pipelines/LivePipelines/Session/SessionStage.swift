import Support
public import TracePipelines
import TraceStore

/// The result of one session member.
public struct SessionResult: Sendable {
  /// The lobby of the session.
  public var lobby: String
  /// The name of the member.
  public var member: String
  /// The beginning of the recording.
  public var beginning: SessionBeginning
  /// The recording of the member.
  public var recording: CaptureResult
  /// The names of the other members' parts, as far as they were announced.
  public var otherParts: [String]
  /// The failure that ended it early.
  public var failure: (any Error)?
}

/// Starts or joins a session, and records one part of it.
public struct SessionStage: Stage {
  private let asked: Shared<SessionRequest>
  private var request: SessionRequest { asked.value }

  public init(_ request: SessionRequest) { asked = Shared(request) }

  public func perform(in context: LiveContext) throws -> SessionResult {
    try request.check()
    let source = request.recording.source
    let provenance = try context.tool.provenance(
      of: "session", inputs: source.name.readFiles())
    let key = try PartFiles(request.output).key(of: request.name, in: request.lobby.lobby)
    let me = Member(name: request.name, key: key ?? .random(), incarnation: .random())
    let conversation = try RendezvousConversation(
      me, request.lobby, terms: request.terms, log: context.log, clock: context.clock)
    let mailbox = conversation.mailbox
    var sink = SessionSink(request, mailbox, provenance: provenance, context)
    var failure: (any Error)?
    do {
      try source.listen(into: &sink, clock: context.clock)
    } catch {
      if !(error is SessionSink.NeverBegan) { failure = error }
    }
    failure = failure ?? mailbox.agreement.failure
    do {
      // Readers of the lobby need not wait until the part is packed.
      defer { conversation.leave(stoppingAll: request.stopAll && context.control.isStopAsked) }
      do { try sink.finish() } catch { throw failure ?? error }
    }
    guard let beginning = sink.beginning, let recording = sink.takeResult() else {
      throw failure
        ?? RSSIError(
          .failed,
          "\(request.name) left \(request.lobby.lobby) before the session began: nothing was "
            + "recorded")
    }
    return SessionResult(
      lobby: request.lobby.lobby, member: request.name, beginning: beginning,
      recording: recording, otherParts: mailbox.agreement.otherParts, failure: failure)
  }
}
