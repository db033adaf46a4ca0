import ArgumentParser
import Glibc
import LivePipelines
import Proximity
import Registries
import Reporting
import Support
import TracePipelines

struct WatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Show nearby beacons and report changes.",
    discussion: """
      INPUT is a source of `rssi capture` (hci0, user:0, h4:…, mqtt://…, replay:FILE), a trace, a \
      recording, a folder of traces (*.h5), or - for NDJSON on standard input.

      Prints events, one JSON object per line: enter, exit, region-enter, region-exit, zone, \
      range-reached, range-left; with --ranging also the beacons of each region once a second, \
      nearest first; with --rooms also room-entered and room-left. On a terminal, shows a \
      screen instead.

      EXAMPLES:
        rssi watch hci0 --calibration calibration.json
        rssi watch walk-1.btsnoop --calibration calibration.json --format text
        rssi watch walks.h5 --ranging --every 5s
        rssi watch mqtt://broker.local/# --rooms rooms.json --duration 1m
      """)

  @Argument(
    help: ArgumentHelp("Source to listen to, or file to read.", valueName: "file"),
    completion: .file())
  var input: String = "hci"

  @OptionGroup(title: "Watching") var watching: WatchOptions

  @Flag(help: "Also list the beacons of each region in order of distance, periodically.")
  var ranging = false

  @OptionGroup var inRooms: TrainedRoomOptions

  @OptionGroup var formatting: WatchFormatOptions

  @Flag(help: "Follow a trace while a capture writes it; stop when the capture ends.")
  var follow = false

  @Option(
    help: ArgumentHelp(
      "Run this program for each event, with the event on its standard input.", valueName: "program"
    ), completion: .file())
  var onEvent: String?

  @Option(help: ArgumentHelp("Name of this receiver (default: the adapter's).", valueName: "name"))
  var receiver: String?

  @OptionGroup var ending: DurationOption
  @OptionGroup(title: "Scanning") var scanning: ScanOptions
  @OptionGroup(title: "Source-specific options") var sourcing: SourceOptions
  @OptionGroup(title: "Tables of other programs") var tables: TableOptions
  @OptionGroup var publishing: PublishOptions
  @OptionGroup var measuring: MetricsOptions
  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    let input = try watchInput()
    if isFile, !follow {
      try ending.refuse("a file has an end: use --follow, or --from and --to of `rssi export`")
      try measuring.refuse("a file has an end: use --follow")
      try publishing.refuse("a file has an end: use --follow")
    }
    var request = try watching.request(reporting.log, of: input.files())
    if case .files(let files) = input { _ = try request.registry.learn(from: files) }
    request.receiver = receiver
    request.columns = try tables.sightings()
    request.locating = try roomBasis(request.registry)
    let terminal = OutputTerminal()
    let format = try formatting.chosen(isFile: isFile && !follow, terminal, reporting)
    let served = try measuring.serve("watch", of: self.input, reporting.messages)
    defer { served?.end() }
    // Before a screen, which catches more signals.
    if !isFile || follow || onEvent != nil { StopSignals.install() }
    let context = LiveContext(reporting).publishing(on: served?.board)
      .ending(after: try ending.parsed())
    let published = try publishing.begin(
      sourcing.login, .none, knowing: request.registry, reporting.log)
    defer { published?.end() }
    if let published { request.positions = published.board }
    defer { if format == .screen { ScreenTerminal.leave() } }
    // The output is made last: a screen would hide what is wrong with the options.
    var outputs = [try output(format, terminal, request.settings)]
    if let onEvent {
      outputs.append(ProgramOutput(try EventProgram(onEvent, mayWait: isFile && !follow, context)))
    }
    request.input = input
    request.output = WatchOutputs(outputs + [published?.board])
    try WatchStage(request).run(in: context)
  }

  /// A Boolean value that is true if the input is a recording or a trace.
  private var isFile: Bool {
    input != "-" && tableFiles(input).allSatisfy { access($0, F_OK) == 0 }
  }

  /// Returns the request to find rooms; nil without trained rooms.
  private func roomBasis(_ registry: Registry) throws -> LocateBasis? {
    guard inRooms.rooms != nil else { return nil }
    var request = LocateRequest()
    inRooms.apply(to: &request)
    request.registry = registry
    try request.check()
    return try LocateBasis(request, log: reporting.log)
  }

  private func watchInput() throws -> WatchInput {
    if follow {
      guard isFile, case .trace = try InputKind(path: input) else {
        throw RSSIError(
          .usage, "--follow: \(input) is not a trace file; only traces can be followed")
      }
      return .followed(input)
    }
    if input == "-" { return .standardInput }
    return isFile
      ? .files(try inputFiles([input]))
      : .source(try sourcing.request(SourceName(typed: input), scanning.settings()))
  }

  private func output(
    _ format: WatchFormat, _ terminal: OutputTerminal, _ settings: WatchSettings
  ) throws -> any WatchOutput {
    switch format {
    case .ndjson: LineOutput(StandardOutputLines(), lists: ranging)
    case .text:
      TextOutput(
        StandardOutputLines(steers: true), lists: ranging, bell: formatting.bell,
        isUnicode: terminal.isUnicode || !terminal.isTerminal, settings: settings)
    case .screen:
      try ScreenOutput(
        source: input == "-" ? "standard input" : input, isReplay: input.hasPrefix("replay:"),
        settings: settings, terminal: terminal, bell: formatting.bell,
        hasKeys: input != "-" && isatty(STDIN_FILENO) == 1)
    }
  }
}

extension WatchInput {
  /// Returns the files to read, or to replay.
  ///
  /// - Throws: `RSSIError` for a folder without a trace.
  fileprivate func files() throws(RSSIError) -> [String] {
    switch self {
    case .standardInput: []
    case .files(let files): files
    case .followed(let file): [file]
    case .source(let source): try source.name.replayedFiles()
    }
  }
}
