import ArgumentParser
import Glibc
import LivePipelines
import PathLoss
import Positioning
import Registries
import Reporting
import Serving
import Sightings
import Support
import TracePipelines
import TraceStore

struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Show positions and beacons on a live page, with an HTTP interface.",
    discussion: """
      SOURCE is a source of `rssi capture` (hci0, mqtt://…, nats://…, replay:FILE), or a trace to \
      replay.

      Prints the address of the page, whose token allows to record and to mark places. The page \
      listens to this machine alone unless --listen names another address; its interface is \
      described at /openapi.json.

      EXAMPLES:
        rssi serve hci0 --calibration calibration.json --site site.toml
        rssi serve walks.h5 --calibration calibration.json --site site.toml
        rssi serve nats://broker.local/SITE --calibration calibration.json \\
          --site site.toml --recordings surveys/
      """)

  @Argument(
    help: ArgumentHelp("Source to listen to, or trace to replay.", valueName: "source"),
    completion: .file())
  var source: String

  @Option(
    help: ArgumentHelp(
      "Calibration written by `rssi fit -o`; without one, beacons are shown and nothing is located.",
      valueName: "file"), completion: .file())
  var calibration: InputPath?

  @Option(
    help: ArgumentHelp(
      "Algorithm of `rssi eval`, with parameters (default: particle-filter, with map=yes where a survey or a radio map is given).",
      valueName: "algorithm"), completion: .list(Algorithms.names))
  var algorithm: String?

  @OptionGroup(title: "Serving") var serving: ServingOptions
  @OptionGroup(title: "Locating") var asking: LocateOptions
  @OptionGroup var place: PlaceOptions
  @OptionGroup(title: "Watching") var rules: WatchRules

  @Option(help: ArgumentHelp("Name of this receiver (default: the adapter's).", valueName: "name"))
  var receiver: String?

  @OptionGroup var ending: DurationOption
  @OptionGroup(title: "Source-specific options") var sourcing: SourceOptions
  @OptionGroup var publishing: PublishOptions
  @OptionGroup var known: RegistryOptions
  @OptionGroup var reporting: MessageOptions

  func run() throws {
    let name = access(source, F_OK) == 0 ? .replay(source) : try SourceName(typed: source)
    let registry = try known.load(reporting.log)
    let log = reporting.log
    let recorded = try name.recordedNodes()
    registry.learnNames(of: recorded)
    let locating = try locateRequest(registry, of: name)
    let names = BeaconNames(registry, recorded.beacons)
    let basis =
      calibration != nil || place.radioMap != nil || !place.survey.isEmpty || locating.rooms != nil
      ? try LocateBasis(locating, log: log) : nil
    let page = LivePage(
      on: try locating.reportedSite(knowing: recorded, names, of: basis), title: name.description,
      hasCalibration: calibration != nil,
      rooms: locating.rooms != nil || serving.recordings != nil ? try locating.roomNames() : nil,
      by: .program)
    var request = ServeRequest(
      try sourcing.request(name), try watchRequest(registry, log))
    request.watch.locating = basis
    request.recordings = serving.folder
    request.anchors = try locating.anchors(knowing: recorded)
    let publicURL = try serving.proxyURL()
    let duration = try ending.parsed()
    try request.check()

    let published = try publishing.begin(
      sourcing.login, names, knowing: registry, fixed: request.anchors?.beacons.map(\.id) ?? [],
      asked: locating.node, epoch: locating.epoch, log)
    defer { published?.end() }
    let metrics = MetricsBoard()
    let events = EventStream()
    let board = LiveBoard(
      source: name, isLocating: basis != nil, canRecord: request.recordings != nil,
      names: names, tool: .program, metrics: metrics
    ) { events.send($0, $1) }
    let desk = ServeDesk { board.take($0) }
    let token = try serving.token()
    let server = try WebServer(serving.place(), limits: LiveAPI.limits) { place in
      let api = LiveAPI(
        page, board: board, events: events, desk: desk,
        access: WebAccess(token: token, at: place, publicURL: publicURL))
      return { api.answer($0, at: SystemClock.monotonic) }
    }
    defer { server.stop() }
    let address = publicURL ?? server.url
    try StandardOutput.write(
      serving.tokenFile == nil ? "\(address)/#token=\(token)\n" : "\(address)/\n")
    try StandardOutput.flush()
    log.note("serving \(name.description): open this address in a browser; Ctrl-C ends")
    StopSignals.install()
    request.watch.positions = PositionSinks([board, published?.board])
    request.watch.output = WatchOutputs([board, published?.board])
    request.desk = desk
    try ServeStage(request).run(
      in: LiveContext(reporting).publishing(on: metrics).ending(after: duration))
  }

  private func locateRequest(_ registry: Registry, of name: SourceName) throws -> LocateRequest {
    var request = LocateRequest()
    (request.algorithm, request.calibration) = (
      algorithm.map(Algorithms.canonical), calibration?.path
    )
    try place.apply(to: &request)
    try asking.apply(to: &request)
    request.node = try request.node.map { try nodeID($0, of: "node", in: registry) }
    request.registry = registry
    try request.check()
    return request
  }

  private func watchRequest(_ registry: Registry, _ log: ConsoleLog) throws -> WatchRequest {
    var request = WatchRequest()
    request.registry = registry
    request.receiver = receiver
    if let path = calibration?.path {
      let constants = try Calibration(path: path)
      if DistanceModels.canUse(constants) {
        request.calibration = (constants, path)
      } else {
        log.note("distances are not shown: \(path) is of the model \(constants.model)")
      }
    }
    try rules.apply(to: &request, site: place.site, period: "200ms")
    return request
  }
}

/// The address and the permissions of the page.
struct ServingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Address to listen to (port 0: a free one). Beyond 127.0.0.1, reading needs the token, too.",
      valueName: "host:port"))
  var listen = "127.0.0.1:8080"

  @Option(
    name: .customLong("public-url"),
    help: ArgumentHelp(
      "Address under which a reverse proxy serves the page, such as https://rssi.example.org.",
      valueName: "url"))
  var publicURL: String?

  @Option(
    help: ArgumentHelp(
      "File with the token on its first line, readable by its owner only (default: a random token, printed at the start).",
      valueName: "file"), completion: .file())
  var tokenFile: InputPath?

  @Option(
    help: ArgumentHelp(
      "Folder for recordings that the page starts and stops (default: none can be made).",
      valueName: "folder"), completion: .directory)
  var recordings: String?

  func place() throws -> HostAndPort {
    guard
      let place = UInt16(listen).map({ HostAndPort(host: "127.0.0.1", port: $0) })
        ?? HostAndPort(listen)
    else {
      throw RSSIError(
        .usage, "--listen \(listen) is not an address: write HOST:PORT, such as 127.0.0.1:8080")
    }
    return place
  }

  func token() throws -> String {
    guard let tokenFile = tokenFile?.path else { return Token.random().description }
    let token = try secret(ofFile: tokenFile, called: "token")
    let isSafe = token.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    guard token.utf8.count >= 16, isSafe else {
      throw RSSIError(
        .usage,
        "--token-file \(tokenFile): a token has 16 or more printable characters, such as of `openssl rand -hex 16`"
      )
    }
    return token
  }

  /// - Throws: `RSSIError` for an address that is not of the web.
  func proxyURL() throws -> String? {
    guard let publicURL else { return nil }
    let host = ["http://", "https://"].first(where: publicURL.hasPrefix).map {
      publicURL.dropFirst($0.count)
    }
    let name = host?.hasSuffix("/") == true ? host?.dropLast() : host
    guard let name, !name.isEmpty, !name.contains(where: { $0 == "/" || $0.isWhitespace }) else {
      throw RSSIError(
        .usage, "--public-url \(publicURL) is not an address such as https://rssi.example.org")
    }
    return publicURL.hasSuffix("/") ? String(publicURL.dropLast()) : publicURL
  }

  /// The folder of recordings with a slash at its end; nil for none.
  var folder: String? { recordings.map { $0.hasSuffix("/") ? $0 : $0 + "/" } }
}
