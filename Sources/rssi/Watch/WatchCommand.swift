import Advertising
import ArgumentParser
import Geometry
import Glibc
import Inputs
import LivePipelines
import Proximity
import Recordings
import Registries
import Sightings
import Sites
import Support
import TraceStore

struct WatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Show nearby beacons and report changes.",
    discussion: """
      INPUT is a source of `rssi capture` (hci0, user:0, h4:…, mqtt://…, replay:FILE), a trace, a \
      recording, or - for NDJSON on standard input.

      Prints events, one JSON object per line: enter, exit, region-enter, region-exit, zone, \
      range-reached, range-left; with --ranging also the beacons of each region once a second, \
      nearest first. On a terminal, shows a screen instead.
      """)

  @Argument(help: "Source to listen to, or file to read.")
  var input: String = "hci"

  @OptionGroup(title: "Watching") var watching: WatchOptions

  @Flag(help: "Also list the beacons of each region in order of distance, periodically.")
  var ranging = false

  @OptionGroup var formatting: WatchFormatOptions

  @Flag(help: "Follow a trace while a capture writes it; stop when the capture ends.")
  var follow = false

  @Option(help: "Run this program for each event, with the event on its standard input.")
  var onEvent: String?

  @Option(help: "Name of this receiver (default: the adapter's).")
  var receiver: String?

  @OptionGroup(title: "Scanning") var scanning: ScanOptions
  @OptionGroup(title: "Source-specific options") var sourcing: SourceOptions
  @OptionGroup var reporting: ReportingOptions

  /// A sighting is of the present if its time is within this of the host's clock, nanoseconds.
  private static let present: Int64 = 5_000_000_000
  /// Lines may be on their way for so long, nanoseconds.
  private static let grace: Int64 = 500_000_000

  func run() throws {
    if follow {
      guard isFile, case .trace = try InputKind(path: input) else {
        throw RSSIError(
          .usage, "--follow: \(input) is not a trace file; only traces can be followed")
      }
    }
    let terminal = OutputTerminal()
    let settings = try watching.settings()
    switch try formatting.chosen(isFile: isFile && !follow, terminal, reporting) {
    case .ndjson: try watch(settings) { LineOutput(wantsRangings: ranging) }
    case .text:
      try watch(settings) {
        TextOutput(
          wantsRangings: ranging, bell: formatting.bell,
          isUnicode: terminal.isUnicode || !terminal.isTerminal,
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
      let program = EventProgram(onEvent, mayWait: isFile && !follow, note: reporting.note)
      return ProgrammedOutput(try output(), program: program)
    }
  }

  private func read<Output: WatchOutput>(
    _ settings: WatchSettings, into output: () throws -> Output
  ) throws {
    let registry = try watching.registering.load()
    let (regions, chain) = (try regions(registry), try watching.chain())
    let models = try DistanceModels(calibration: watching.calibration)
    let source = input == "-" || isFile ? nil : try source()
    // Before a screen, which catches more signals.
    if source != nil || input == "-" || follow || onEvent != nil { StopSignals.install() }
    let watched = WatchedSightings(
      regions, settings, chain: chain, models: models, registry: registry,
      sought: watching.seek, output: try output(),
      note: reporting.note)
    if let source { return try watchSource(watched, source) }
    if follow { return try watchFollowed(watched) }
    try input == "-" ? watchStream(watched) : watchFile(watched)
  }

  /// A recording or a trace, which is read at once.
  private var isFile: Bool { input != "-" && access(input, F_OK) == 0 }

  /// - Throws: `RSSIError`, of no such file for what looks like the name of one.
  private func source() throws -> SourceName {
    do {
      return try SourceName(input)
    } catch {
      guard input.contains("/") || input.contains("."), !input.contains(":") else { throw error }
      throw RSSIError(.noInput, "there is no file \(input), nor is it a source")
    }
  }

  private func regions(_ registry: Registry) throws -> [Region] {
    var regions = try watching.region.map { try $0.region(registry) }
    if let seek = watching.seek {
      guard regions.isEmpty else {
        throw RSSIError(
          .usage, "--seek looks for one beacon, --region watches many: choose one")
      }
      return [try sought(seek, registry)]
    }
    if regions.isEmpty, let site = watching.site { regions = try Site(path: site).regions }
    return regions.isEmpty ? [Region(name: "all", pattern: nil)] : regions
  }

  /// The beacon of an identity or a name.
  private func sought(_ text: String, _ registry: Registry) throws -> Region {
    let pattern = try beaconPattern(text, of: "--seek", in: registry)
    guard pattern.identity != nil else {
      throw RSSIError(
        .usage,
        "--seek \(text) is not one beacon: write UUID:MAJOR:MINOR, an address, or an identity as "
          + "`rssi export` prints it"
      )
    }
    return Region(name: text, pattern: pattern)
  }

  private func watchStream<Output: WatchOutput>(_ watched: WatchedSightings<Output>) throws {
    var intake = Intake(into: watched, blockRows: 1)
    var stream = try SightingStream(path: "-", trace: "stdin")
    repeat {
      if !stream.hasLine { try StandardOutput.flush() }
    } while try waits(for: stream, &intake.sink) && stream.next(into: &intake)
    let catalogue = try intake.complete()
    try intake.sink.finish()
    for rejected in catalogue.refusals {
      reporting.note("refused \(rejected.count) × \(rejected.reason)")
    }
  }

  /// Waits for more of a stream, or for its end; false when somebody wants to end the watch.
  private func waits(
    for stream: borrowing SightingStream, _ watched: inout WatchedSightings<some WatchOutput>
  ) throws -> Bool {
    var waiting = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    let began = SystemClock.monotonic
    // Where lines are of the present, time goes on without them; a recording's stands still.
    let isLive = watched.newest.map { abs(SystemClock.now - $0) < Self.present } ?? false
    while true {
      guard try watched.output.tick(), !StopSignals.isStopAsked else { return false }
      if stream.hasLine || poll(&waiting, 1, 50) > 0 { return true }
      guard isLive, let newest = watched.newest else { continue }
      try watched.advance(to: newest + SystemClock.monotonic - began - Self.grace)
      try StandardOutput.flush()
    }
  }

  private func watchFile<Output: WatchOutput>(_ watched: WatchedSightings<Output>) throws {
    let watching = Watching(watched)
    do {
      try WatchedFile(path: input, note: reporting.note).forEachOrderedBlock { rows, catalogue in
        try watching.sightings.append(rows, payloads: NewPayloads(), catalogue: catalogue)
        if StopSignals.isStopAsked { throw Stopped() }
      }
    } catch is Stopped {}
    try watching.sightings.finish()
    try StandardOutput.flush()
  }

  /// Reads a trace twice a second while a capture writes it.
  private func watchFollowed<Output: WatchOutput>(_ watched: WatchedSightings<Output>) throws {
    var (watched, trace) = (watched, FollowedTrace(path: input))
    var (delay, began) = (Self.present, SystemClock.monotonic)
    var isFirst = true
    while !StopSignals.isStopAsked, try watched.output.tick() {
      let isLive = try trace.readNew { rows, catalogue in
        // A capture hands over what it received in a flush interval at once; the first look is at
        // the past.
        if !isFirst, let first = rows.time.first {
          delay = max(Self.grace, SystemClock.now - first)
        }
        try watched.append(rows, payloads: NewPayloads(), catalogue: catalogue)
        began = SystemClock.monotonic
      }
      isFirst = false
      try StandardOutput.flush()
      guard isLive else {
        reporting.note("\(input): no program writes it any more; the watch has ended")
        break
      }
      // A capture of the present that receives nothing lets time go on; a recording's stands still.
      if let newest = watched.newest, abs(SystemClock.now - newest) < 60 * Timestamp.second {
        try watched.advance(to: newest + SystemClock.monotonic - began - delay)
      }
      for _ in 0..<10 where !StopSignals.isStopAsked { usleep(50_000) }
    }
    try watched.finish()
    try StandardOutput.flush()
  }

  private func watchSource<Output: WatchOutput>(
    _ watched: WatchedSightings<Output>, _ source: SourceName
  ) throws {
    var live = try LiveWatch(
      watched, trace: source.traceName, receiver: receiver, isLive: !source.isReplay,
      reporting: reporting)
    do {
      try sourcing.request(source, scanning).listen(into: &live)
    } catch {
      try live.finish(isWhole: false)
      throw error
    }
    try live.finish(isWhole: true)
  }
}

extension SourceName {
  /// What the trace of a watch is called: a recording has the name that it has as a file.
  fileprivate var traceName: String {
    if case .replay(let file) = self { fileStem(file) } else { "live" }
  }
}

/// Somebody wants to end the watch of a file.
private struct Stopped: Error {}

/// The watch of a file, which the closure that gets its blocks changes.
private final class Watching<Output: WatchOutput> {
  var sightings: WatchedSightings<Output>

  init(_ sightings: WatchedSightings<Output>) { self.sightings = sightings }
}
