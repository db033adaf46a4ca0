import ArgumentParser
import LivePipelines
import Registries
import Reporting
import Support
import TracePipelines

struct SessionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "session",
    abstract: "Record with several receivers together, over an MQTT broker.",
    discussion: """
      One member starts a session, the others join it. They compare their clocks, and start and stop \
      at common instants. Each member records its own part; the parts are merged into one trace.

      EXAMPLES:
        rssi session start hall hci0 --broker mqtt://broker.local -o hall-door.h5
        rssi session join hall hci0 --broker mqtt://broker.local -o hall-desk.h5
        rssi session merge hall-*.h5 -o hall.h5
      """,
    subcommands: [
      SessionStartCommand.self, SessionJoinCommand.self, SessionWhoCommand.self,
      SessionStopCommand.self, SessionMergeCommand.self,
    ])
}

struct SessionStartCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "start",
    abstract: "Start a session, and record in it.",
    usage: "rssi session start [<options>] <name> [<source>] --broker <url> -o <file>",
    discussion: """
      Leads the session: its clock is the session's time. Waits until the expected number of members \
      are ready, and records SOURCE (see `rssi capture`) from a common instant until --duration has \
      passed or until `rssi session stop`. If it fails or ends, the others continue. Refused while \
      another member leads.

      EXAMPLES:
        rssi session start hall hci0 --broker mqtt://broker.local -o hall-door.h5
        rssi session start hall hci0 --broker mqtt://broker.local --members 3 \\
          --duration 10m -o hall-door.h5
      """)

  @Option(
    help: ArgumentHelp(
      "Begin when this many members are ready, including this one.", valueName: "n"))
  var members = 2

  @Option(help: ArgumentHelp("Maximum number of members.", valueName: "n"))
  var maxMembers = 8

  @OptionGroup var options: SessionMemberOptions

  func run() throws {
    try options.run { request in
      request.terms = SessionTerms(
        members: members, maxMembers: maxMembers, duration: request.duration)
    }
  }
}

struct SessionJoinCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "join",
    abstract: "Join a session, and record in it.",
    usage: "rssi session join [<options>] <name> [<source>] --broker <url> -o <file>",
    discussion: """
      Waits for the leader (see `rssi session start`), records SOURCE (see `rssi capture`) from the \
      common instant, and stops with the session. Ctrl-C leaves it; the others continue. After a \
      failure, join again with the same --name and -o to continue in the running session, in a \
      further file.

      EXAMPLES:
        rssi session join hall hci0 --broker mqtt://broker.local -o hall-desk.h5
        rssi session join hall hci0 --broker mqtt://broker.local --name desk \\
          --duration 10m -o hall-desk.h5
      """)

  @OptionGroup var options: SessionMemberOptions

  func run() throws { try options.run() }
}

/// The arguments of a member of a session, whether it starts or joins it.
struct SessionMemberOptions: ParsableArguments {
  @Argument(help: ArgumentHelp("Name of the lobby.", valueName: "name"))
  var lobby: String

  @Argument(
    help: ArgumentHelp("Source to listen to, as in `rssi capture`.", valueName: "source"),
    completion: .list(["hci0", "user:0", "monitor", "h4:", "mqtt://", "replay:"]))
  var source = SourcePath(path: "hci")

  @OptionGroup(title: "Broker") var broker: BrokerOptions
  @OptionGroup(title: "Session") var session: SessionOptions
  @OptionGroup(title: "Selection") var selecting: SelectionOptions
  @OptionGroup(title: "Ground truth") var labelling: SessionLabelOptions
  @OptionGroup(title: "Scanning") var scanning: ScanOptions
  @OptionGroup var measuring: MetricsOptions
  @OptionGroup var registering: RegistryOptions
  @OptionGroup var reporting: ReportingOptions

  /// Takes part in a session until it ends, and reports.
  ///
  /// - Parameter complete: fills in the remaining fields.
  func run(_ complete: (inout SessionRequest) -> Void = { _ in }) throws {
    let registry = try registering.load(reporting.log)
    var recording = CaptureRequest(try sourceRequest())
    if !selecting.beacon.isEmpty || !labelling.places.beaconAt.isEmpty {
      try registry.learnNames(from: recording.source.name.replayedFiles())
    }
    recording.selection = try selecting.selection(registry)
    try labelling.set(&recording, registry)
    var request = try session.request(broker.request(lobby), recording)
    complete(&request)
    try request.check()
    let served = try measuring.serve(
      "session", of: request.recording.source.name.description, reporting.messages)
    defer { served?.end() }
    StopSignals.install()
    let context = LiveContext(reporting, showsStatus: true)
    let result = try SessionStage(request).run(in: context.publishing(on: served?.board))
    let report = SessionReport(result, recording: try CaptureReport(result.recording, registry))
    try reporting.report(report.json, text: report.text)
    if let failure = result.failure { throw failure }
  }

  private func sourceRequest() throws -> SourceRequest {
    var request = SourceRequest(try SourceName(source.path))
    request.scanning = try scanning.settings()
    try session.playback.set(&request)
    broker.login.set(&request.gateways)
    return request
  }
}

/// The known place of a member, and the known beacons.
struct SessionLabelOptions: ParsableArguments {
  @OptionGroup var places: PositionOptions

  @Option(
    help: ArgumentHelp(
      "Name of the trace, the same for members whose levels belong together (default: the lobby's).",
      valueName: "name"))
  var trace: String?

  func set(_ request: inout CaptureRequest, _ registry: Registry) throws {
    try places.set(&request, registry)
    request.trace = trace
  }
}

struct SessionMergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merge the parts of a session into one trace.",
    discussion: """
      Converts times to session time and names receivers after their members. A sighting in two parts \
      of one member is written once. Copies of a part are detected; parts of another session are \
      rejected.

      EXAMPLES:
        rssi session merge hall-*.h5 -o hall.h5
        rssi session merge door.h5 desk.h5 -o session.h5
      """)

  @Argument(help: ArgumentHelp("Parts, in any order.", valueName: "file"), completion: .file())
  var parts: [InputPath]

  @Option(
    name: .shortAndLong, help: ArgumentHelp("Trace to write.", valueName: "file"),
    completion: .file())
  var output: TracePath

  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    let report = MergeReport(
      try SessionMergeStage(SessionMergeRequest(parts.paths, into: output.path))
        .run(in: reporting.context))
    try reporting.report(report.json, text: report.text)
  }
}

struct SessionStopCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stop",
    abstract: "Stop the running session of a lobby for all members at one instant.",
    usage: "rssi session stop [<options>] <name> --broker <url>",
    discussion: """
      EXAMPLES:
        rssi session stop hall --broker mqtt://broker.local
        rssi session stop hall --broker mqtts://ana@broker.local \\
          --password-file password.txt
      """)

  @Argument(help: ArgumentHelp("Name of the lobby.", valueName: "name"))
  var lobby: String

  @OptionGroup(title: "Broker") var broker: BrokerOptions
  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    let session = try SessionStopStage(broker.request(lobby)).run(in: reporting.context)
    reporting.note("session \(session) ends")
  }
}

struct SessionWhoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "who", abstract: "List the members of a lobby and the announced session.",
    usage: "rssi session who [<options>] <name> --broker <url>",
    discussion: """
      EXAMPLES:
        rssi session who hall --broker mqtt://broker.local
        rssi session who hall --broker mqtts://ana@broker.local \\
          --password-file password.txt
      """)

  @Argument(help: ArgumentHelp("Name of the lobby.", valueName: "name"))
  var lobby: String

  @OptionGroup(title: "Broker") var broker: BrokerOptions
  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    let report = LobbyReport(
      try SessionViewStage(broker.request(lobby)).run(in: reporting.context))
    try reporting.report(report.json, text: report.text)
  }
}

/// The name and the part of a member, and how its recording ends.
struct SessionOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Part to write; a second one becomes NAME-2.h5.", valueName: "file"),
    completion: .file())
  var output: TracePath

  @Option(
    help: ArgumentHelp(
      "Name of this member and its receiver (default: the host name).", valueName: "name"))
  var name: String?

  @Option(
    help: ArgumentHelp(
      "Stop this long after the common start, such as 10m (default: at `rssi session stop`). With `start` all members stop, with `join` this one.",
      valueName: "time"))
  var duration: String?

  @Flag(help: "Ctrl-C stops the session for all members instead of this one only.")
  var stopAll = false

  @Option(
    help: ArgumentHelp("Flush interval: a crash loses at most this much data.", valueName: "time"))
  var flush = "1s"

  @Flag(help: "Do not compress the part at the end (see `rssi pack`).")
  var noPack = false

  @OptionGroup var playback: PlaybackOptions

  /// - Parameter recording: the recording.
  func request(_ lobby: RendezvousRequest, _ recording: CaptureRequest) throws -> SessionRequest {
    var recording = recording
    recording.flush = try time(flush, "--flush")
    recording.packs = !noPack
    let machine = String(hostName().prefix { $0 != "." })
    var request = SessionRequest(
      lobby: lobby, name: name ?? machine, recording: recording, output: output.path)
    request.duration = try duration.map { try time($0, "--duration") }
    request.stopAll = stopAll
    return request
  }
}

/// The broker at which members of a session meet.
struct BrokerOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Broker: mqtt://[USER@]HOST[:PORT], or mqtts:// for TLS.", valueName: "url"))
  var broker: String

  @OptionGroup var login: LoginOptions

  func request(_ lobby: String) throws -> RendezvousRequest {
    var request = RendezvousRequest(lobby: lobby, broker: broker)
    login.set(&request.options)
    try request.check()
    return request
  }
}
