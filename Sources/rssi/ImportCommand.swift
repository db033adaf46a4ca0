import ArgumentParser
import Recordings
import Registries
import Reporting
import Support
import TracePipelines
import TraceStore

struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Convert recordings and tables to a trace.",
    discussion: """
      Reads recordings of adapters (btsnoop of btmon -w, hcidump and Android's HCI log; pcap and pcapng \
      of Wireshark; Apple's PacketLogger) and of sniffers (pcap and pcapng of Ubertooth, Sniffle and \
      nRF Sniffer), what tshark, btmon, gateways and phones write as text (docs/recordings.md), CSV \
      tables of any program (docs/tables.md; a+b.csv joins files row by row), and JSON (an array, or \
      one object per line), detected by content, also compressed (gzip, xz, zstd, bzip2) \
      and in zip and tar files such as Android's bug reports. Each recording becomes one trace, named \
      after its file; with --trace all become one, in order of time.

      EXAMPLES:
        rssi import walk-*.btsnoop --receiver phone --nodes nodes.csv \\
          --truth truth.csv -o walks.h5
        rssi import walk-1.btsnoop@receiver=a walk-2.btsnoop@receiver=b \\
          --trace walk -o one.h5
        rssi import walk-1.btsnoop --distance 2m --from +5s --to +1m -o stay.h5
        rssi import distances.csv -o distances.h5
      """)

  @Argument(
    help: ArgumentHelp(
      "Recordings and tables; FILE@receiver=NAME names the receiver of one recording; - reads NDJSON from standard input.",
      valueName: "file"),
    completion: .file())
  var files: [ReceivedPath]

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Trace to write; - writes NDJSON to standard output.", valueName: "file"),
    completion: .file())
  var output: TraceStreamPath

  @Option(
    help: ArgumentHelp(
      "CSV file of beacons and receivers with the positions of the fixed ones.", valueName: "file"),
    completion: .file())
  var nodes: InputPath?

  @Option(
    help: ArgumentHelp(
      "CSV file of positions of moving nodes, or of true levels of links; repeatable.",
      valueName: "file"), completion: .file())
  var truth: [InputPath] = []

  @Option(
    help: ArgumentHelp(
      "Name of the receiver in recordings, and in tables that name none (default: hci0, hci1, …; sniffer; receiver).",
      valueName: "name"))
  var receiver: String?

  @Option(
    help: ArgumentHelp(
      "Name of one trace for all inputs, in order of time (default: one trace per file).",
      valueName: "name"))
  var trace: String?

  @OptionGroup(title: "Tables of other programs") var tables: TableOptions
  @OptionGroup var span: TimeSpanOptions
  @OptionGroup var standing: StandingOptions

  @Flag(help: "Keep packets that a sniffer received with a wrong checksum (data_status 3).")
  var keepBadCRC = false

  @Option(
    help: ArgumentHelp(
      "Registry (JSON or CSV) whose names, positions and measured powers are written into the trace.",
      valueName: "file"), completion: .file())
  var registry: InputPath?

  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    guard output.path != "-" || !reporting.json else {
      throw RSSIError(.usage, "-o - and --json both write to standard output: choose one")
    }
    guard output.path != "-" else {
      guard nodes == nil, truth.isEmpty, registry == nil else {
        throw RSSIError(
          .usage,
          "--nodes, --truth and --registry go into a trace, a line of a stream has no place for "
            + "them: name a file with -o"
        )
      }
      return try ImportStage(request()).stream(in: reporting.context)
    }
    var request = try request()
    request.registryPath = registry?.path
    request.registry = try registry.map { try namedRegistry($0.path, reporting.log) }
    let written = try ImportStage(request).run(in: reporting.context)
    let summary = try TraceSummary(
      TraceReader(path: output.path), written.figures, packets: written.packets)
    try reporting.report(summary.json, text: summary.text(of: output.path))
  }

  private func request() throws -> ImportRequest {
    var request = ImportRequest(
      files: files.paths, output: output.path, nodes: nodes?.path, truth: truth.paths,
      receiver: receiver,
      keepsWrongChecksums: keepBadCRC)
    request.trace = trace
    for file in files { request.receivers[file.path] = file.receiver }
    request.columns = try tables.map(of: .sightings)
    request.nodeColumns = try tables.map(of: .nodes)
    request.truthColumns = try tables.map(of: .truth)
    request.selection = try span.selection()
    let metres = try standing.metres()
    guard standing.pose.isEmpty || metres != nil else {
      throw RSSIError(.usage, "--pose is of a recording at a known distance: give --distance too")
    }
    request.standing = metres.map { ($0, standing.pose) }
    return request
  }
}
