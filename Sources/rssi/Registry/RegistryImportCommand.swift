import ArgumentParser
import Registries
import Support

struct RegistryImportCommand: ParsableCommand, FileDeclaring {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Create a registry from tables (CSV) and lists (JSON).",
    discussion: """
      Columns are named as in the JSON format: id, or uuid, major and minor, or namespace and instance; \
      address; name, description, x_m, y_m, z_m, measured_power_dbm or tx_power_0m_dbm, range_m. All \
      others become notes; one that is nearly a known column is named. Tables of `rssi calibrate --table` are accepted. Of two entries of one beacon the \
      last one is used.

      EXAMPLES:
        rssi registry import nodes.csv -o beacons.json
        rssi registry import nodes.csv -o - | head -n 5
      """)

  @Argument(
    help: ArgumentHelp(
      "CSV tables and JSON lists; - reads JSON from standard input.", valueName: "file"),
    completion: .file())
  var files: [InputPath]

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Registry to write; - is standard output (default: the stored registry).", valueName: "file"),
    completion: .file())
  var output: OutputStreamPath?

  @Flag(help: "Skip invalid entries instead of failing.")
  var skipBad = false

  @OptionGroup var reporting: ReportingOptions

  func declareFiles(in files: inout CommandFiles) {
    // The folders of the stored registry are made when there is something to store.
    if output == nil { files.write(KeptRegistry.path, as: "-o", isPattern: true) }
  }

  func run() throws {
    guard output?.path != "-" || !reporting.json else {
      throw RSSIError(.usage, "-o - and --json both write to standard output: choose one")
    }
    var entries: [RegisteredBeacon] = []
    var refused = 0
    for file in files.paths {
      let document = try RegistryDocument(path: file)
      if let refusals = document.refusals {
        guard skipBad else {
          throw RSSIError(
            .badInput,
            "\(file): \(refusals): correct it, or leave such entries out with --skip-bad")
        }
        reporting.warn("\(file): left out \(refusals)")
      }
      if let doubts = document.doubts { reporting.warn("\(file): \(doubts)") }
      if document.cleaned > 0 {
        reporting.warn(
          "\(file): left out characters that steer a terminal; entries: \(document.cleaned)")
      }
      refused += document.refused.count
      entries += document.beacons
    }
    guard !entries.isEmpty else {
      throw RSSIError(
        .badInput, "no beacon is in \(files.paths.joined(separator: ", ")): nothing was written")
    }
    let beacons = Registry(entries).beacons
    let repeated = entries.count - beacons.count
    if repeated > 0 {
      reporting.warn("entries of a beacon that comes again: \(repeated); the last counts")
    }
    let path = try KeptRegistry.place(output?.path)
    try writeOutput(RegistryDocument(beacons).text, to: path)
    guard path != "-" else { return }
    try reporting.report(
      .object([
        "path": .string(path), "beacons": .integer(beacons.count), "refused": .integer(refused),
        "repeated": .integer(repeated),
      ]), text: "\(path.printable): \(counted(beacons.count, "beacon"))\n")
  }
}
