import ArgumentParser
import Glibc
import Proximity
import Recordings
import Sightings
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

  @Option(help: "The name of this receiver, in place of the adapter's.")
  var receiver: String?

  @OptionGroup(title: "How to scan") var scanning: ScanOptions
  @OptionGroup(title: "Sources of their own") var sourcing: SourceOptions
  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    let settings = try watching.settings()
    let watched = WatchedSightings(
      try regions(), settings, chain: try watching.chain(),
      models: try DistanceModels(calibration: watching.calibration),
      registry: try watching.registering.load(), output: LineOutput(wantsRangings: ranging),
      note: reporting.note)
    if input == "-" { return try watchStream(watched) }
    if access(input, F_OK) == 0 { return try watchFile(watched) }
    try watchSource(watched)
  }

  private func regions() throws -> [Region] {
    let regions = watching.region.map(\.region)
    return regions.isEmpty ? [Region(name: "all", pattern: nil)] : regions
  }

  private func watchStream<Output: WatchOutput>(_ watched: WatchedSightings<Output>) throws {
    var intake = Intake(into: watched, blockRows: 1)
    var stream = try SightingStream(path: "-", trace: "stdin")
    repeat {
      if !stream.hasLine { try StandardOutput.flush() }
    } while try stream.next(into: &intake)
    let catalogue = try intake.complete()
    try intake.sink.finish()
    for rejected in catalogue.rejected {
      reporting.note("refused \(rejected.count) × \(rejected.reason)")
    }
  }

  private func watchFile<Output: WatchOutput>(_ watched: WatchedSightings<Output>) throws {
    let watching = Watching(watched)
    try forEachBlock(of: input, [.time, .link, .rssi, .channel], filtered: nil) { rows, catalogue in
      try watching.sightings.append(rows, payloads: NewPayloads(), catalogue: catalogue)
    }
    try watching.sightings.finish()
    try StandardOutput.flush()
  }

  private func watchSource<Output: WatchOutput>(_ watched: WatchedSightings<Output>) throws {
    let source = try SourceName(input)
    let settings = try scanning.settings()
    StopSignals.install()
    var live = try LiveWatch(
      watched, trace: "live", receiver: receiver, isLive: !source.isReplay, reporting: reporting)
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

/// The watch of a file, which the closure that gets its blocks changes.
private final class Watching<Output: WatchOutput> {
  var sightings: WatchedSightings<Output>

  init(_ sightings: WatchedSightings<Output>) { self.sightings = sightings }
}
