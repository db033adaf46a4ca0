import ArgumentParser
import Inputs
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
    guard output != "-" else {
      guard nodes == nil, truth.isEmpty, registry == nil else {
        throw RSSIError(
          .usage,
          "--nodes, --truth and --registry go into a trace, a line of a stream has no place for "
            + "them: name a file with -o"
        )
      }
      return try TraceImport(request, log: reporting.log).writeStream(to: StandardOutputLines())
    }
    var request = request
    request.registryPath = registry
    request.registry = try registry.map { try RegistryDocument(whole: $0).registry }
    let written = try TraceImport(request, log: reporting.log).writeTrace(by: .program)
    let summary = try TraceSummary(
      TraceReader(path: output), written.figures, packets: written.packets)
    try reporting.report(summary.json, text: summary.text(of: output))
  }

  private var request: ImportRequest {
    ImportRequest(
      files: files, output: output, nodes: nodes, truth: truth, receiver: receiver,
      keepsWrongChecksums: keepBadCRC)
  }

  private func checkFiles() throws {
    guard output != "-" || !reporting.json else {
      throw RSSIError(.usage, "-o - and --json both write to standard output: choose one")
    }
    var named = CommandFiles()
    named.read(files)
    named.read([nodes], as: "--nodes")
    named.read(truth, as: "--truth")
    named.read([registry], as: "--registry")
    named.write([output], as: "-o", isStream: true)
    try named.check(reporting)
  }
}
