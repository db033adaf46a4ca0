import ArgumentParser
import Registries
import Reporting
import Support
import TracePipelines

struct RegistryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "registry",
    abstract: "Manage a table of beacons: identities, names, positions, measured powers.",
    discussion: """
      Other stages print the beacon names of the stored registry; --registry FILE selects another, \
      --registry none disables it. It is stored in $RSSI_REGISTRY, else in \
      $XDG_DATA_HOME/rssi/registry.json, else in ~/.local/share/rssi/registry.json.

      EXAMPLES:
        rssi registry import nodes.csv -o beacons.json
        rssi registry check beacons.json
        rssi registry list --registry beacons.json
      """,
    subcommands: [
      RegistryPullCommand.self, RegistryImportCommand.self, RegistryCheckCommand.self,
      RegistryListCommand.self, RegistryWhereCommand.self,
    ])
}

struct RegistryListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the beacons of a registry.",
    discussion: """
      EXAMPLES:
        rssi registry list beacons.json
        rssi registry list --registry nodes.csv --json
      """)

  @OptionGroup var named: RegistryFileOptions

  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    let path = try named.path()
    let document = try RegistryDocument(whole: path)
    // The format of the stored file, so that scripts read the same.
    if reporting.json { return try StandardOutput.write(document.text) }
    try StandardOutput.show(document.table(of: path))
  }
}

struct RegistryWhereCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "where", abstract: "Show the path of the stored registry.",
    discussion: """
      EXAMPLES:
        rssi registry where
        rssi registry where --json
      """)

  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    guard let path = KeptRegistry.path else {
      throw RSSIError(
        .noInput,
        "no registry is configured: RSSI_REGISTRY is \"none\", or HOME is not set")
    }
    let exists = KeptRegistry.exists(path)
    if reporting.json {
      return try StandardOutput.write(
        jsonText(.object(["path": .string(path), "exists": .boolean(exists)])))
    }
    try StandardOutput.write(path + "\n")
    if !exists {
      reporting.note(
        "nothing is there yet: `rssi registry pull` or `rssi registry import` writes it")
    }
  }
}

struct RegistryCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Find duplicates and impossible values in a registry.",
    usage: "rssi registry check [<options>] [<file>]",
    discussion: """
      Errors exit with code 65: unreadable entries, two entries with one identity, implausible \
      powers. Warnings do not: two entries with one name or position, implausible ranges, positions \
      outside every room of --site.

      EXAMPLES:
        rssi registry check beacons.json
        rssi registry check nodes.csv --json
      """)

  @OptionGroup var named: RegistryFileOptions

  @Option(
    help: ArgumentHelp(
      "Site file (TOML) whose rooms should contain the beacons.", valueName: "file"),
    completion: .file())
  var site: SitePath?

  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    let result = try RegistryCheckStage(RegistryCheckRequest(named.path(), site: site?.path))
      .run(in: reporting.context)
    try reporting.report(result.json, text: result.text)
    let errors = result.check.count(.error)
    guard errors == 0 else {
      throw RSSIError(
        .badInput, "\(result.path) has \(counted(errors, "error")): correct what is listed")
    }
  }
}
