import ArgumentParser
import Capture
import Glibc
import Inputs
import LivePipelines
import Recordings
import Registries
import Reporting
import Sightings
import Support
import TraceStore

struct SessionJoinCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "join",
    abstract: "Join a session as a receiver.",
    discussion: """
      Waits in the lobby until the expected number of members are ready, records SOURCE (see \
      `rssi capture`) from the agreed instant, and stops when the duration has passed or at \
      `rssi session stop`. Ctrl-C leaves the session; the others continue. After a failure, join again \
      with the same --name and -o to continue in the running session, in a further file.
      """)

  @Argument(help: "Name of the lobby.")
  var lobby: String

  @Argument(help: "Source to listen to, as in `rssi capture`.")
  var source: String = "hci"

  @OptionGroup(title: "Broker") var broker: BrokerOptions
  @OptionGroup(title: "Session") var session: SessionOptions
  @OptionGroup(title: "Selection") var selecting: SelectionOptions
  @OptionGroup(title: "Ground truth") var labelling: SessionLabelOptions
  @OptionGroup(title: "Scanning") var scanning: ScanOptions
  @OptionGroup var registering: RegistryOptions
  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    try requireLobbyName(lobby, "lobby")
    var source = SourceRequest(try SourceName(source))
    source.scanning = try scanning.settings()
    try session.playback.set(&source)
    broker.login.set(&source.gateways)
    var plan = RecordRequest(source)
    let registry = try registering.load()
    plan.selection = try selecting.selection(registry)
    try labelling.set(&plan)
    let name = try session.memberName()
    let duration = try session.check(&plan)
    plan.output = session.output
    var files = plan.files(isPart: true)
    files.write([session.merge], as: "--merge")
    broker.login.addFiles(to: &files)
    files.read([registering.path], as: "--registry")
    try files.check(reporting)
    // Gateways have names of their own; the merged trace puts the member's before them.
    if !source.name.isGateways { plan.receiver = name }
    plan.trace = plan.trace ?? lobby
    try plan.check()
    let inputs = try source.name.readFiles()
    StopSignals.install()
    let key = try PartFiles(session.output).key(of: name, in: lobby) ?? .random()
    var me = Member(
      name: name, key: key, incarnation: .random(), expected: session.members,
      limit: session.maxMembers)
    me.gathers = session.merge != nil
    let conversation = try LobbyConversation(
      me, lobby: lobby, broker: broker, duration: duration, reporting: reporting)
    var sink = SessionSink(
      plan, limit: duration, output: session.output, conversation: conversation,
      provenance: try ToolIdentity.program.provenance(of: "session", inputs: inputs),
      context: LiveContext(reporting, showsStatus: true))
    let failure = record(source, into: &sink)
    try finish(&sink, plan, conversation, registry, failure)
  }

  /// Records until the session or the source is over; the reason where that was a failure.
  private func record(
    _ source: SourceRequest, into sink: inout SessionSink
  ) -> (any Error)? {
    do {
      try source.listen(into: &sink)
      return nil
    } catch is SessionSink.NeverBegan {
      return nil
    } catch {
      return error
    }
  }

  /// Closes the part, hands it over where somebody gathers, leaves and reports.
  private func finish(
    _ sink: inout SessionSink, _ plan: RecordRequest, _ conversation: LobbyConversation,
    _ registry: Registry, _ failure: (any Error)?
  ) throws {
    let refusal = conversation.agreement.failure
    guard let beginning = sink.beginning, sink.recorder != nil else {
      conversation.leave()
      if let reason = failure ?? refusal { throw reason }
      throw RSSIError(
        .failed,
        "\(conversation.me.name) left \(lobby) before the session began: nothing was recorded")
    }
    if session.stopAll, StopSignals.isStopAsked { conversation.stopAll() }
    do { try sink.finish() } catch {
      conversation.leave()
      throw failure ?? error
    }
    guard let recorder = sink.recorder.take() else { return conversation.leave() }
    let report = try RecordReport(recorder.packedResult(), registry)
    // The others may record for hours yet.
    if let failure = failure.flatMap(RSSIError.init) { reporting.note("\(failure)") }
    var gathering = Gathering()
    do {
      let exchange = try PartExchange(conversation, beginning, output: session.output, reporting)
      gathering = exchange.run(gatheringInto: session.merge, limit: try session.transferLimit())
    } catch { gathering.failure = error }
    let lateRefusal = conversation.agreement.failure
    conversation.leave()
    let whole = SessionReport(conversation, beginning, report, gathering)
    try reporting.report(try whole.json(), text: try whole.text())
    if let reason = failure ?? lateRefusal ?? gathering.failure { throw reason }
  }
}
