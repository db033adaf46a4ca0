import Support
import TracePipelines
import TraceStore

/// The result of one session member.
package struct SessionResult {
  package var lobby: String
  package var member: String
  package var beginning: SessionBeginning
  package var recording: CaptureResult
  package var gathering: Gathering
  /// The failure that ended it before its time, or kept it from its end.
  package var failure: (any Error)?
}

/// Joins a session, records in it, and hands its parts over or gathers those of all members.
package struct SessionStage: Stage {
  private let request: SessionRequest

  package init(_ request: SessionRequest) { self.request = request }

  package func perform(in context: LiveContext) throws -> SessionResult {
    try request.check()
    let source = request.recording.source
    let provenance = try context.tool.provenance(
      of: "session", inputs: source.name.readFiles())
    let key = try PartFiles(request.output).key(of: request.name, in: request.lobby.lobby)
    var me = Member(
      name: request.name, key: key ?? .random(), incarnation: .random(),
      expected: request.members, limit: request.maxMembers)
    me.gathers = request.merge != nil
    let conversation = try RendezvousConversation(
      me, request.lobby, duration: request.duration, log: context.log, clock: context.clock)
    var sink = SessionSink(request, conversation.mailbox, provenance: provenance, context)
    var failure: (any Error)?
    do {
      try source.listen(into: &sink, clock: context.clock)
    } catch {
      if !(error is SessionSink.NeverBegan) { failure = error }
    }
    defer { conversation.leave() }
    return try finishSession(&sink, request, conversation.mailbox, failure, context)
  }
}

/// Closes the part, and hands it over or gathers.
private func finishSession(
  _ sink: inout SessionSink, _ request: SessionRequest, _ mailbox: RendezvousMailbox,
  _ failure: (any Error)?, _ context: LiveContext
) throws -> SessionResult {
  let unrecorded = RSSIError(
    .failed,
    "\(request.name) left \(request.lobby.lobby) before the session began: nothing was recorded")
  guard let beginning = sink.beginning, sink.hasRecorder else {
    throw failure ?? mailbox.agreement.failure ?? unrecorded
  }
  if request.stopAll, context.control.isStopAsked { mailbox.stopAll() }
  do { try sink.finish() } catch { throw failure ?? error }
  guard let recording = sink.takeResult() else { throw unrecorded }
  // The others may record for hours yet.
  if let failure = failure as? RSSIError { context.log.warn("\(failure)") }
  var gathering = Gathering()
  do {
    let exchange = try PartExchange(request, mailbox, beginning.announcement.session, context)
    gathering = exchange.run()
  } catch { gathering.failure = error }
  return SessionResult(
    lobby: request.lobby.lobby, member: request.name, beginning: beginning, recording: recording,
    gathering: gathering,
    failure: failure ?? mailbox.agreement.failure ?? gathering.failure)
}
