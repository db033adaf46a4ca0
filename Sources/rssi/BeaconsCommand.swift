public import ArgumentParser
import Registries
import Reporting
import Screens
import Support
import TracePipelines

struct BeaconsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "beacons",
    abstract: "List the devices that were received, and how strong they were.",
    discussion: """
      One row per device: identity, advertised name, company, sightings, rate while it was received, \
      levels, and advertised power. Reads traces, recordings and tables, detected by content; a folder \
      is its traces (*.h5). Devices of several files are united by identity. The table is fitted to the \
      terminal: CSV and --json have all columns and full identities.

      EXAMPLES:
        # beacons of a recording, the strongest first
        rssi beacons walk-1.btsnoop --sort rssi
        # all walks in one table, for a spreadsheet
        rssi beacons walks.h5 -o devices.csv
        # the first ten seconds of each walk
        rssi beacons walks.h5 --to +10s --json
        # a part of the work, for --merge
        rssi beacons walks.h5 --part 1.ndjson
      """)

  @Argument(
    help: ArgumentHelp(
      "Traces, recordings, tables and folders of traces; - reads NDJSON; parts with --merge.",
      valueName: "file"),
    completion: .file())
  var inputs: [InputPath]

  @Option(help: ArgumentHelp("Order of the rows.", valueName: "order"))
  var sort = DeviceOrder.sightings

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("File to write; - is standard output.", valueName: "file"),
    completion: .file())
  var output = OutputStreamPath(path: "-")

  @Option(
    help: ArgumentHelp(
      "Output format (default: csv for a file *.csv, else text).", valueName: "format"))
  var format: Format?

  @OptionGroup var sharing: PartOptions

  @OptionGroup(title: "Selection") var selecting: SightingSelectionOptions

  @OptionGroup(title: "Tables of other programs") var tables: TableOptions

  @OptionGroup var known: RegistryOptions

  @OptionGroup var reporting: ReportingOptions

  enum Format: String, CaseIterable, ExpressibleByArgument { case text, csv }

  func run() throws {
    let format = format ?? (output.path.lowercased().hasSuffix(".csv") ? .csv : .text)
    guard !reporting.json || output.path != "-" || self.format == nil else {
      throw RSSIError(
        .usage, "--json and --format both write to standard output: name a file with -o")
    }
    try sharing.refuse(
      withPart: [
        ("-o", output.path != "-"), ("--format", self.format != nil),
        ("--sort", sort != .sightings),
      ], withMerge: [("--share", sharing.share != nil)] + selecting.given)
    var request = BeaconsRequest(
      inputs: sharing.merge ? inputs.paths : try inputFiles(inputs.paths))
    request.columns = try tables.sightings()
    request.registry = try known.load(reporting.log)
    request.selection = try selecting.selection(
      request.registry, in: sharing.merge ? [] : request.inputs)
    request.companies = CompanyNames(installedAt: CompanyNames.paths)
    request.order = sort
    let share = try sharing.fileShare()
    if let path = sharing.part?.path {
      let written = try BeaconsShard(
        request, share: share, by: .shareable(inputs: inputs.paths), log: reporting.log
      ).write(to: path)
      return try reporting.report(written)
    }
    let heard =
      sharing.merge
      ? try BeaconsShard(merging: inputs.paths).devices(request)
      : try BeaconsStage(request).run(in: reporting.context)
    let doubt = request.registry.doubt(
      heard: heard.devices.map(\.beacon), senders: heard.devices.flatMap(\.addresses))
    if let doubt { reporting.warn(doubt) }
    let report = DevicesReport(heard)
    if reporting.json { try report.writeJSON { try StandardOutput.write($0) } }
    guard output.path != "-" || !reporting.json else { return }
    switch format {
    case .csv: try writeOutput(to: output.path) { try report.writeCSV($0) }
    case .text:
      let terminal = OutputTerminal()
      let text = report.text(
        width: ScreenTerminal.size.columns,
        isUnicode: terminal.isUnicode || !terminal.isTerminal)
      if output.path == "-" {
        try StandardOutput.show(text)
      } else {
        try writeOutput(text, to: output.path)
      }
    }
  }
}

extension DeviceOrder: ExpressibleByArgument {}
