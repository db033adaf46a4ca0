import ArgumentParser
import Inputs
import Recordings
import Registries
import Sightings
import Support
import TraceStore

struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Convert recordings and tables to a trace.",
    discussion: """
      Reads recordings of adapters (btsnoop of btmon -w, hcidump and Android's HCI log; pcap and pcapng \
      of Wireshark; Apple's PacketLogger) and of sniffers (pcap and pcapng of Ubertooth, Sniffle and \
      nRF Sniffer), CSV tables of sightings or of readings at known distances, and NDJSON, detected \
      by content. Each recording becomes one trace, named after its file.
      """)

  @Argument(help: "Recordings and tables; - reads NDJSON from standard input.")
  var files: [String]

  @Option(
    name: .shortAndLong, help: "Trace to write; - writes NDJSON to standard output.")
  var output: String

  @Option(help: "CSV file of beacons and receivers with the positions of the fixed ones.")
  var nodes: String?

  @Option(help: "CSV file of positions of moving nodes, or of true levels of links; repeatable.")
  var truth: [String] = []

  @Option(help: "Name of the receiver in recordings (default: hci0, hci1, …; sniffer).")
  var receiver: String?

  @Flag(help: "Keep packets that a sniffer received with a wrong checksum (data_status 3).")
  var keepBadCRC = false

  @Option(
    help:
      "Registry (JSON or CSV) whose names, positions and measured powers are written into the trace."
  )
  var registry: String?

  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    try checkFiles()
    let kinds = try files.map { try InputKind(path: $0) }
    // Said now rather than when everything is read.
    for name in files.map(fileStem) + [receiver].compactMap(\.self) where name.utf8.count > 128 {
      throw RSSIError(.badInput, "the name \"\(name)\" is longer than 128 bytes: shorten it")
    }
    guard output != "-" else { return try writeStream(kinds) }
    let registry = try registry.map { try wholeRegistry($0).registry }
    let inputs = files + [nodes, self.registry].compactMap(\.self) + truth
    let digests = try InputDigests(of: inputs)
    let provenance = try ToolIdentity.program.provenance(of: "import", inputs: [])
    var intake = Intake(into: SummingSink(try TraceSink(path: output, provenance: provenance)))
    try read(kinds, into: &intake)
    let heardTraces = Set(intake.catalogue.traces)
    let heard = (intake.catalogue.beacons.count, intake.catalogue.receivers.count)
    // First, so that a table of this very site has the last word.
    if let registry { tellNodes(of: registry, to: &intake) }
    let anchors = try nodes.map { try NodeCSV.read($0, into: &intake) } ?? []
    for table in truth { try TruthCSV.read(table, into: &intake) }
    let catalogue = try intake.complete()
    let packets = PacketFigures(intake.counts)
    let figures = intake.sink.figures
    let census = intake.sink.heard
    try intake.takeSink().finish(catalogue, inputs: digests.wait())

    noteUnheard(anchors, catalogue, heard: heard)
    noteMissing(catalogue, heard: heard)
    let apart = census.truthApart(catalogue)
    for sentence in apart.prefix(3) { reporting.note("warning: \(sentence)") }
    if apart.count > 3 {
      reporting.note(
        "warning: the truth of \(apart.count - 3) more traces does not overlap their sightings")
    }
    let strange = catalogue.traces.filter { !heardTraces.contains($0) }
    if !strange.isEmpty {
      reporting.note(
        "warning: --truth has positions for the trace \(listed(strange, 4)), of which there is no "
          + "sighting; the traces are "
          + listed(heardTraces.sorted()))
    }
    let summary = try TraceSummary(try TraceReader(path: output), figures, packets: packets)
    for rejected in catalogue.refusals {
      reporting.note("refused \(rejected.count) × \(rejected.reason)")
    }
    try reporting.report(summary.json, text: summary.text(of: output))
  }

  private func checkFiles() throws {
    var named = CommandFiles()
    named.read(files)
    named.read([nodes], as: "--nodes")
    named.read(truth, as: "--truth")
    named.read([registry], as: "--registry")
    named.write([output], as: "-o", isStream: true)
    try named.check(reporting)
  }

  /// Reads the inputs in order, each as one trace.
  private func read<Sink: SightingSink & ~Copyable>(
    _ kinds: [InputKind], into intake: inout Intake<Sink>
  ) throws {
    let progress = reporting.log.progress("import", total: files.count)
    for (index, (file, kind)) in zip(files, kinds).enumerated() {
      progress.update(index)
      // Two recordings of one name are two traces, named after their folders too.
      let isShared = files.count { fileStem($0) == fileStem(file) } > 1
      try readInput(
        file, kind, receiver: receiver, trace: isShared ? withoutExtension(file) : nil,
        keepsWrongChecksums: keepBadCRC, note: reporting.note, into: &intake)
    }
    progress.finish()
  }

  /// Writes the sightings as lines for the next stage.
  private func writeStream(_ kinds: [InputKind]) throws {
    guard !reporting.json else {
      throw RSSIError(.usage, "-o - and --json both write to standard output: choose one")
    }
    guard nodes == nil, truth.isEmpty, registry == nil else {
      throw RSSIError(
        .usage,
        "--nodes, --truth and --registry go into a trace, a line of a stream has no place for "
          + "them: name a file with -o"
      )
    }
    var intake = Intake(into: CaptureOutput(nil, labels: Labels()))
    try read(kinds, into: &intake)
    for rejected in try intake.complete().rejected {
      reporting.note("refused \(rejected.count) × \(rejected.reason)")
    }
  }

  /// Warns where none of the nodes at known places was heard: mostly a name spelt otherwise.
  ///
  /// - Parameter heard: how many beacons and receivers the sightings have; later ones are from
  ///   tables.
  private func noteUnheard(
    _ anchors: [(role: NodeRole, index: Int)], _ catalogue: Catalogue,
    heard: (beacons: Int, receivers: Int)
  ) {
    for (role, nodes, count) in [
      (NodeRole.beacon, catalogue.beacons, heard.beacons),
      (.receiver, catalogue.receivers, heard.receivers),
    ] {
      let own = anchors.filter { $0.role == role }
      guard !own.isEmpty, own.allSatisfy({ $0.index >= count }) else { continue }
      let what = role == .beacon ? "beacons" : "receivers"
      reporting.note(
        "warning: none of the \(own.count) \(what) at known places in \(self.nodes ?? "") was "
          + "heard; heard: "
          + listed(nodes.prefix(count).map(\.id)))
    }
  }

  /// Warns where truth is of a node without a sighting: mostly a name spelt otherwise.
  ///
  /// - Parameter heard: how many beacons and receivers the sightings have; later ones are from
  ///   tables.
  private func noteMissing(_ catalogue: Catalogue, heard: (beacons: Int, receivers: Int)) {
    var beacons: Set<Int> = []
    var receivers: Set<Int> = []
    for point in catalogue.truth {
      switch point.role {
      case .beacon: beacons.insert(Int(point.node))
      case .receiver: receivers.insert(Int(point.node))
      }
    }
    for level in catalogue.levels {
      beacons.insert(Int(level.beacon))
      receivers.insert(Int(level.receiver))
    }
    let silent = Set(
      beacons.filter { $0 >= heard.beacons }.map { catalogue.beacons[$0].id }
        + receivers.filter { $0 >= heard.receivers }.map { catalogue.receivers[$0].id })
    guard !silent.isEmpty else { return }
    reporting.note(
      "warning: --truth is of \(listed(silent.sorted())), without a sighting; the receivers with "
        + "sightings are "
        + listed(catalogue.receivers.prefix(heard.receivers).map(\.id))
        + ": name the receiver of a recording with --receiver")
  }
}

/// A path without its last extension: `day-1/walk` of `day-1/walk.btsnoop`.
private func withoutExtension(_ path: String) -> String {
  let stem = fileStem(path)
  guard let slash = path.lastIndex(of: "/") else { return stem }
  return path[...slash] + stem
}
