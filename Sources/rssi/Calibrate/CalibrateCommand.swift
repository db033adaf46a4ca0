import ArgumentParser
import Inputs
import LivePipelines
import PathLoss
import Registries
import Sightings
import Support
import TraceStore

struct CalibrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "calibrate",
    abstract: "Measure a beacon's power at 1 m, pose by pose.",
    discussion: """
      Guides through a bench measurement on a live source of `rssi capture`, such as hci0 or \
      replay:FILE, or reads the poses from traces, recordings, tables, or - for NDJSON. A pose is a \
      stay at a known distance; a file without poses is one pose, at --distance.

      The level of a pose is a 10 % trimmed mean; the measured power is the mean over the poses at 1 m, \
      with an interval from the variation between poses.
      """)

  @Argument(help: "Source to listen to, or recordings to read (default: the first adapter).")
  var inputs: [String] = []

  @Option(
    help:
      "Beacon to calibrate: UUID[:MAJOR[:MINOR]], an identity, an address or a name; repeatable.")
  var beacon: [String] = []

  @Flag(help: "Calibrate every beacon received.")
  var allBeacons = false

  @Option(help: "Use only sightings of this receiver.")
  var receiver: String?

  @Option(help: "Use only poses of this series of a recording; repeatable.")
  var series: [String] = []

  @Option(help: "Target half-width of the 95 % interval, in dB.")
  var precision = 1.0

  @Option(name: .shortAndLong, help: "Report to write (JSON).")
  var output: String?

  @Option(
    help: "Table of beacons to write (CSV), for `rssi import --nodes` and flashing tools.")
  var table: String?

  @Option(
    help: "Trace to write of everything a live source received, labelled with distance and pose.")
  var record: String?

  @OptionGroup(title: "Poses") var posing: PoseOptions
  @OptionGroup(title: "Scanning") var scanning: ScanOptions
  @OptionGroup(title: "Source-specific options") var sourcing: SourceOptions
  @OptionGroup var known: RegistryOptions
  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    guard precision > 0, precision.isFinite else {
      throw RSSIError(
        .usage, "--precision \(precision) is no half width: write dB above 0, such as 1")
    }
    let outputs = CalibrateOutputs(
      report: output, table: table, printsJSON: reporting.json, record: record)
    let registry = try known.load()
    let beacons = BeaconsToCalibrate(
      choices: try beacon.map { try BeaconChoice($0, in: registry) }, isAll: allBeacons,
      names: BeaconNames(registry))
    let poses = PoseTable(choices: beacons.choices, receiver: receiver, series: Set(series))
    let sources = inputs.compactMap { try? SourceName($0) }
    if inputs.isEmpty || inputs.count == 1 && sources.count == 1 {
      guard series.isEmpty else {
        throw RSSIError(.usage, "--series is for recordings: a live source has one series")
      }
      let plan = try BenchPlan(source: sources.first ?? .adapter(nil), posing)
      let source = try sourcing.request(plan.source, scanning)
      try outputs.check(filesRead([plan.source.replayedFile].compactMap(\.self)), reporting)
      let bench = GuidedBench(
        plan: plan, beacons: beacons, precision: precision, outputs: outputs, reporting: reporting)
      return try bench.run(source, into: poses)
    }
    guard sources.isEmpty else {
      throw RSSIError(
        .usage,
        "\(sources[0]) is listened to alone: name one source, or files (./\(sources[0]) for a file "
          + "of that name)"
      )
    }
    guard record == nil else {
      throw RSSIError(
        .usage, "--record is for live sources: \(inputs[0]) is a recording already")
    }
    if let option = posing.optionOfLiveSources {
      throw RSSIError(
        .usage,
        "\(option) is for live sources: the poses of \(inputs[0]) are its stays, or the file is one"
      )
    }
    try readFiles(beacons, poses, outputs)
  }

  private func filesRead(_ inputs: [String]) -> CommandFiles {
    var files = CommandFiles()
    files.read(inputs)
    sourcing.login.addFiles(to: &files)
    files.read([known.path], as: "--registry")
    return files
  }

  private func readFiles(
    _ beacons: BeaconsToCalibrate, _ empty: PoseTable, _ outputs: CalibrateOutputs
  ) throws {
    try outputs.check(filesRead(inputs), reporting)
    let recording = RecordedBench(
      inputs: inputs, distances: try posing.distances(ofFiles: true),
      names: posing.pose.isEmpty ? [] : try posing.names())
    let digests = try InputDigests(of: inputs)
    let table = try recording.read(empty)
    if let missing = series.first(where: { !table.seenSeries.contains($0) }) {
      throw RSSIError(
        .badInput,
        "there is no series \"\(missing)\"; there are " + listed(table.seenSeries.sorted()))
    }
    let files = try digests.wait()
    // Poses that are there twice would look as if they agreed.
    for (index, file) in files.enumerated() {
      if let other = files[..<index].first(where: { $0.sha256 == file.sha256 }) {
        throw RSSIError(
          .usage,
          "\(other.name) and \(file.name) are the same recording: its poses count once")
      }
    }
    let found = try beacons.names(in: table).map {
      CalibratedBeacon($0, in: table, precision: precision)
    }
    try outputs.write(
      CalibrateReport(
        beacons: found, precision: precision, excluded: table.excluded, inputs: files,
        names: beacons.names), reporting)
  }
}
