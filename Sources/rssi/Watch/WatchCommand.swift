import Advertising
import ArgumentParser
import Glibc
import Proximity
import Recordings
import Sightings
import Sites
import TraceStore

struct WatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Tell what is near, and what changes.",
    discussion: """
      INPUT is a source as of `rssi capture` (hci0, user:0, h4:…, mqtt://…, replay:FILE), a trace or \
      a recording, or - for NDJSON on standard input.

      Events go to standard output, one JSON object a line: enter, exit, region-enter, region-exit, \
      zone, range-reached, range-left; with --ranging also the beacons of each region once a second, \
      the nearest first. On a terminal they are a screen instead.
      """)

  @Argument(help: "Where to listen, or what to read.")
  var input: String = "hci"

  @OptionGroup(title: "What is watched") var watching: WatchOptions

  @Flag(help: "Also tell the beacons of each region, in order of distance, every time.")
  var ranging = false

  @OptionGroup var formatting: WatchFormatOptions

  @Option(help: "Run this program for each event, with the event on its standard input.")
  var onEvent: String?

  @Option(help: "The name of this receiver, in place of the adapter's.")
  var receiver: String?

  @OptionGroup(title: "How to scan") var scanning: ScanOptions
  @OptionGroup(title: "Sources of their own") var sourcing: SourceOptions
  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    let terminal = OutputTerminal()
    let settings = try watching.settings()
    switch try formatting.chosen(isFile: isFile, terminal, reporting) {
    case .ndjson: try watch(settings) { LineOutput(wantsRangings: ranging) }
    case .text:
      try watch(settings) {
        TextOutput(
          wantsRangings: ranging, bell: formatting.bell, isUnicode: terminal.isUnicode || !terminal.isTerminal,
          settings: settings)
      }
    case .screen:
      defer { ScreenTerminal.leave() }
      try watch(settings) {
        try ScreenOutput(
          source: input == "-" ? "standard input" : input, settings: settings,
          terminal: terminal, bell: formatting.bell,
          hasKeys: input != "-" && isatty(STDIN_FILENO) == 1)
      }
    }
  }

  /// Makes the output last, when all that may be wrong with the options was found.
  private func watch<Output: WatchOutput>(
    _ settings: WatchSettings, to output: () throws -> Output
  ) throws {
    guard let onEvent else { return try read(settings, into: output) }
    try read(settings) {
      let program = EventProgram(onEvent, mayWait: isFile, note: reporting.note)
      return ProgrammedOutput(try output(), program: program)
    }
  }

  private func read<Output: WatchOutput>(
    _ settings: WatchSettings, into output: () throws -> Output
  ) throws {
    let (regions, chain) = (try regions(), try watching.chain())
    let models = try DistanceModels(calibration: watching.calibration)
    let registry = try watching.registering.load()
    let source = input == "-" || isFile ? nil : try SourceName(input)
    // Before a screen, which catches more signals.
    if source != nil { StopSignals.install() }
    let watched = WatchedSightings(
      regions, settings, chain: chain, models: models, registry: registry,
      seeks: watching.seek != nil, output: try output(),
      note: reporting.note)
    if let source { return try watchSource(watched, source) }
    try input == "-" ? watchStream(watched) : watchFile(watched)
  }

  /// A recording or a trace, which is read at once.
  private var isFile: Bool { input != "-" && access(input, F_OK) == 0 }

  private func regions() throws -> [Region] {
    var regions = watching.region.map(\.region)
    if let seek = watching.seek {
      guard regions.isEmpty else {
        throw Failure(Failure.usage, "--seek looks for one beacon, --region watches many: choose one")
      }
      return [try sought(seek)]
    }
    if regions.isEmpty, let site = watching.site { regions = try Site(path: site).regions }
    return regions.isEmpty ? [Region(name: "all", pattern: nil)] : regions
  }

  /// The beacon of an identity.
  private func sought(_ text: String) throws -> Region {
    guard let pattern = BeaconPattern(text), pattern.identity != nil else {
      throw Failure(
        Failure.usage,
        "--seek \(text) is not one beacon: write UUID:MAJOR:MINOR, an address, or an identity as `rssi export` prints it")
    }
    return Region(name: text, pattern: pattern)
  }

  private func watchStream<Output: WatchOutput>(_ watched: WatchedSightings<Output>) throws {
    var intake = Intake(into: watched, blockRows: 1)
    var stream = try SightingStream(path: "-", trace: "stdin")
    repeat {
      if !stream.hasLine { try StandardOutput.flush() }
    } while try waits(for: stream, &intake.sink.output) && stream.next(into: &intake)
    let catalogue = try intake.complete()
    try intake.sink.finish()
    for rejected in catalogue.rejected {
      reporting.note("refused \(rejected.count) × \(rejected.reason)")
    }
  }

  /// Waits for more of a stream, or for its end; false when somebody wants to end the watch.
  private func waits(
    for stream: borrowing SightingStream, _ output: inout some WatchOutput
  ) throws -> Bool {
    var waiting = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    repeat {
      guard try output.tick(), !StopSignals.isStopAsked else { return false }
    } while !stream.hasLine && poll(&waiting, 1, 50) <= 0
    return true
  }

  private func watchFile<Output: WatchOutput>(_ watched: WatchedSightings<Output>) throws {
    let watching = Watching(watched)
    try forEachBlock(of: input, [.time, .link, .rssi, .channel], filtered: nil) { rows, catalogue in
      try watching.sightings.append(rows, payloads: NewPayloads(), catalogue: catalogue)
    }
    try watching.sightings.finish()
    try StandardOutput.flush()
  }

  private func watchSource<Output: WatchOutput>(
    _ watched: WatchedSightings<Output>, _ source: SourceName
  ) throws {
    let settings = try scanning.settings()
    var live = try LiveWatch(
      watched, trace: source.traceName, receiver: receiver, isLive: !source.isReplay, reporting: reporting)
    do {
      try listen(
        to: source, settings, speed: sourcing.replaySpeed(), sourcing.gateways(), into: &live)
    } catch {
      try live.finish()
      throw error
    }
    try live.finish()
  }
}

extension SourceName {
  /// What the trace of a watch is called: a recording has the name that it has as a file.
  fileprivate var traceName: String {
    if case .replay(let file) = self { fileStem(file) } else { "live" }
  }
}

/// The watch of a file, which the closure that gets its blocks changes.
private final class Watching<Output: WatchOutput> {
  var sightings: WatchedSightings<Output>

  init(_ sightings: WatchedSightings<Output>) { self.sightings = sightings }
}
